int unused_ops;
