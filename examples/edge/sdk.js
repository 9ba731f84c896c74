// OpenTelemetry's SDK, for hosts that have none. It sends spans to OTEL_EXPORTER_OTLP_ENDPOINT, as the service OTEL_SERVICE_NAME.
import process from 'node:process';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const { OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318', OTEL_SERVICE_NAME = 'edge' } = process.env;
const exporter = new OTLPTraceExporter({ url: `${OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces` });
const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME }),
  spanProcessors: [new BatchSpanProcessor(exporter)],
});
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

/** Sends the spans that have ended. */
export const flush = () => provider.forceFlush();
