"""Spark's own functions, by what they need to know besides their arguments.

The lists are those of Spark 4.1 (`show system functions` and the groups of their descriptions); a
test compares them. `timediff` is a word of its grammar alone. What is not in a list is not Spark's
own.
"""

from __future__ import annotations

from enum import Enum

from dbt_event_windows.plain_sql.naming import word_set


class Kind(Enum):
    """What a function needs: its arguments alone, other rows, the clock, and so on."""

    ROW = "row"
    AGGREGATE = "aggregate"
    OVER = "over"
    GENERATOR = "generator"
    RANDOM = "random"
    CLOCK = "clock"
    SESSION = "session"
    OUTSIDE = "outside"
    GROUPING = "grouping"
    TIME_WINDOW = "time window"
    UNKNOWN = "unknown"


AGGREGATES = word_set(
    """
    any any_value approx_count_distinct approx_percentile approx_top_k approx_top_k_accumulate
    approx_top_k_combine array_agg avg bit_and bit_or bit_xor bitmap_and_agg
    bitmap_construct_agg bitmap_or_agg bool_and bool_or collect_list collect_set corr count
    count_if count_min_sketch covar_pop covar_samp every first first_value histogram_numeric
    hll_sketch_agg hll_union_agg kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float
    kll_sketch_agg_bigint kll_sketch_agg_double kll_sketch_agg_float kurtosis last last_value
    listagg max max_by mean median min min_by mode percentile percentile_approx percentile_cont
    percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
    regr_sxy regr_syy schema_of_variant_agg skewness some std stddev stddev_pop stddev_samp
    string_agg sum theta_intersection_agg theta_sketch_agg theta_union_agg try_avg try_sum
    var_pop var_samp variance
    """
)

# Their value is that of whichever row comes first, unless something settles it.
TAKE_ONE_ROW = word_set("any_value first first_value last last_value")
KEEP_ROWS = word_set("array_agg collect_list listagg string_agg")

ROW_BY_ROW = word_set(
    """
    abs acos acosh add_months aes_decrypt aggregate and approx_top_k_estimate array array_append
    array_compact array_contains array_distinct array_except array_insert array_intersect
    array_join array_max array_min array_position array_prepend array_remove array_repeat
    array_size array_sort array_union arrays_overlap arrays_zip ascii asin asinh atan atan2
    assert_true atanh base64 between bigint bin binary bit_count bit_get bit_length
    bitmap_bit_position bitmap_bucket_number bitmap_count boolean bround btrim cardinality case cast
    cbrt ceil ceiling char char_length character_length chr coalesce collate collation concat
    concat_ws contains conv convert_timezone cos cosh cot crc32 csc date date_add date_diff
    date_format date_from_unix_date date_part date_sub date_trunc dateadd datediff datepart day
    dayname dayofmonth dayofweek dayofyear decimal decode degrees div double e element_at elt encode
    endswith equal_null exists exp expm1 extract factorial filter find_in_set flatten float
    floor forall format_number format_string from_csv from_json from_unixtime from_utc_timestamp
    from_xml get get_json_object getbit greatest hash hex hll_sketch_estimate hll_union hour
    hypot if ifnull ilike in initcap instr int is_valid_utf8 is_variant_null isnan isnotnull
    isnull json_array_length json_object_keys kll_sketch_get_n_bigint kll_sketch_get_n_double
    kll_sketch_get_n_float kll_sketch_get_quantile_bigint kll_sketch_get_quantile_double
    kll_sketch_get_quantile_float kll_sketch_get_rank_bigint kll_sketch_get_rank_double
    kll_sketch_get_rank_float kll_sketch_merge_bigint kll_sketch_merge_double
    kll_sketch_merge_float kll_sketch_to_string_bigint kll_sketch_to_string_double
    kll_sketch_to_string_float last_day lcase least left len length levenshtein like ln locate
    log log10 log1p log2 lower lpad ltrim luhn_check make_date make_dt_interval make_interval
    make_time make_timestamp make_timestamp_ltz make_timestamp_ntz make_valid_utf8
    make_ym_interval map map_concat map_contains_key map_entries map_filter map_from_arrays
    map_from_entries map_keys map_values map_zip_with mask md5 minute mod month monthname
    months_between named_struct nanvl negative next_day not nullif nullifzero nvl nvl2
    octet_length or overlay parse_json parse_url pi pmod position positive pow power printf
    quarter quote radians reduce regexp regexp_count regexp_extract regexp_extract_all
    regexp_instr regexp_like regexp_replace regexp_substr repeat replace reverse right rint
    rlike round rpad rtrim schema_of_csv schema_of_json schema_of_variant schema_of_xml sec
    second sentences sequence sha sha1 sha2 shiftleft shiftright shiftrightunsigned sign signum
    sin sinh size slice smallint sort_array soundex space split split_part sqrt st_asbinary
    st_geogfromwkb st_geomfromwkb st_setsrid st_srid startswith str_to_map string struct substr
    substring substring_index tan tanh theta_difference theta_intersection theta_sketch_estimate
    theta_union time time_diff time_trunc timediff timestamp timestamp_micros timestamp_millis
    timestamp_seconds timestampadd timestampdiff tinyint to_binary to_char to_csv to_date
    to_json to_number to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_unix_timestamp
    to_utc_timestamp to_varchar to_variant_object to_xml transform transform_keys
    transform_values translate trim trunc try_add try_aes_decrypt try_divide try_element_at
    try_make_interval try_make_timestamp try_make_timestamp_ltz try_make_timestamp_ntz try_mod
    try_multiply try_parse_json try_parse_url try_subtract try_to_binary try_to_date
    try_to_number try_to_time try_to_timestamp try_url_decode try_validate_utf8 try_variant_get
    typeof ucase unbase64 unhex unix_date unix_micros unix_millis unix_seconds unix_timestamp
    upper url_decode url_encode validate_utf8 variant_get weekday weekofyear when width_bucket
    xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short
    xpath_string xxhash64 year zeroifnull zip_with
    """
)

GENERATORS = word_set(
    """
    explode explode_outer inline inline_outer json_tuple posexplode posexplode_outer stack
    variant_explode variant_explode_outer
    """
)

# aes_encrypt draws a new initialization vector at each call.
RANDOM = word_set(
    """
    aes_encrypt input_file_block_length input_file_block_start input_file_name
    monotonically_increasing_id rand randn random randstr shuffle spark_partition_id uniform
    uuid
    """
)
CLOCK = word_set("curdate current_date current_time current_timestamp localtimestamp now")
SESSION = word_set(
    """
    current_catalog current_database current_schema current_timezone current_user session_user
    user version
    """
)
# Functions that need no brackets wherever no column has the name.
WITHOUT_BRACKETS = word_set(
    "current_date current_time current_timestamp current_user grouping__id session_user user"
)
# Those that are hardly the name of a column; Spark takes all of them for one where there is one.
HARDLY_COLUMNS = WITHOUT_BRACKETS - {"user"}
RUN_JAVA = word_set("java_method reflect try_reflect")
# They run code that is not SQL, stop the query, or need a registry of schemas. `assert_true` is no
# such function: it is null, or there is no result at all; dbt.datediff and dbt.dateadd have it.
OUTSIDE = RUN_JAVA | word_set(
    """
    from_avro from_protobuf raise_error schema_of_avro to_avro to_protobuf
    """
)
OVER = word_set("cume_dist dense_rank lag lead nth_value ntile percent_rank rank row_number")
GROUPING = word_set("cube grouping grouping__id grouping_id rollup")

SPARK_WINDOWS = frozenset(("session_window", "window"))
OWN_WINDOWS = frozenset(("calendar_window", "cumulate_window", "sliding_window"))
TIME_WINDOWS = SPARK_WINDOWS | OWN_WINDOWS | {"window_time"}

# Of a TIMESTAMP these give what a clock on the wall of the session's time zone shows.
READ_THE_ZONE = word_set(
    """
    add_months cast date date_add date_diff date_format date_part date_sub date_trunc datepart
    day dayname dateadd datediff dayofmonth dayofweek dayofyear extract from_csv from_json
    from_unixtime hour last_day make_timestamp make_timestamp_ltz minute month monthname
    months_between next_day quarter second timediff timestamp timestampadd timestampdiff to_char
    to_csv to_date to_json to_timestamp to_timestamp_ltz to_unix_timestamp to_varchar trunc
    try_to_date try_to_timestamp unix_timestamp weekday weekofyear year
    """
)

# The first of three arguments is a unit, written like a column.
TAKE_A_UNIT = word_set(
    "date_add date_diff dateadd datediff time_diff timediff timestampadd timestampdiff"
)
UNITS = word_set(
    """
    year quarter month week day dayofyear hour minute second millisecond microsecond years
    quarters months weeks days hours minutes seconds milliseconds microseconds
    """
)

_KINDS = (
    (AGGREGATES, Kind.AGGREGATE),
    (ROW_BY_ROW, Kind.ROW),
    (GENERATORS, Kind.GENERATOR),
    (RANDOM, Kind.RANDOM),
    (CLOCK, Kind.CLOCK),
    (SESSION, Kind.SESSION),
    (OUTSIDE, Kind.OUTSIDE),
    (OVER, Kind.OVER),
    (GROUPING, Kind.GROUPING),
    (TIME_WINDOWS, Kind.TIME_WINDOW),
)


def kind_of(name: str) -> Kind:
    """The kind of a function, by its name in any case."""
    lower = name.lower()
    return next((kind for names, kind in _KINDS if lower in names), Kind.UNKNOWN)
