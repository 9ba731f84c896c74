// Sends the spans of OpenTelemetry where the environment asks for it: those of app/telemetry.js, and Next.js's own.

/**
 * Next.js calls it when the server starts. The spans go to OTEL_EXPORTER_OTLP_ENDPOINT, or to Vercel where that runs the server.
 *
 * @throws Error if `@vercel/otel` is not installed
 */
export async function register() {
  const serviceName = process.env.OTEL_SERVICE_NAME;
  if (!serviceName) return;
  const { registerOTel } = await vercelOtel(serviceName);
  registerOTel({ serviceName });
}

/** Next.js builds without a package whose import is in a `try`. */
async function vercelOtel(serviceName) {
  try {
    return await import('@vercel/otel');
  } catch (cause) {
    throw new Error(`OTEL_SERVICE_NAME is '${serviceName}', but @vercel/otel is not installed`, { cause });
  }
}
