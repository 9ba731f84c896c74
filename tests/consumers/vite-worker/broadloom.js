export * from 'broadloom';
