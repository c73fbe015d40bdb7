"""Trains a culture's adapter from its voice bank. A bake never imports the torch parts of this room."""

from pipeline.training.record import AdapterState, TrainingRecord, adapter_state, read_record, record_path

__all__ = ["AdapterState", "TrainingRecord", "adapter_state", "read_record", "record_path"]
