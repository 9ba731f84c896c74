import 'broadloom/worker';
