int unused_model;
