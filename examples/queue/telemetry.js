// OpenTelemetry, where it is installed and the environment asks for it.
import process from 'node:process';

/**
 * BullMQ's telemetry by `bullmq-otel`, if the environment has OTEL_SERVICE_NAME. The traces go wherever the program's OpenTelemetry
 * SDK sends them, which `node --import` loads.
 *
 * @throws Error if `bullmq-otel` is not installed
 */
export async function openTelemetry() {
  const service = process.env.OTEL_SERVICE_NAME;
  if (!service) return undefined;
  const { BullMQOtel } = await import('bullmq-otel').catch((cause) => {
    throw new Error(`OTEL_SERVICE_NAME is '${service}', but bullmq-otel is not installed`, { cause });
  });
  return new BullMQOtel(service);
}
