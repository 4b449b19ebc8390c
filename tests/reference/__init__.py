"""Kafka Streams' windows, one record at a time: slow and plain, to compare other results with.

Nothing here may share code with what it checks: no numpy, no `dbt_event_windows`. Times are
integers in any one unit. Section numbers in the modules are those of the rules that were checked
against Kafka Streams 4.3.1.
"""
