// The figures of a pool of Broadloom's (`loadPool`) as Prometheus reads them. A server answers GET /metrics with
// `metricsOf(pool.stats())` and the type `text/plain; version=0.0.4`.
const gauges = ['size', 'ready', 'busy', 'depth'];

export function metricsOf(stats) {
  const lines = [];
  const family = (name, type, samples) => {
    const full = `broadloom_pool_${name}`;
    lines.push(`# TYPE ${full} ${type}`, ...samples.map(([suffix, value]) => `${full}${suffix} ${value}`));
  };
  for (const [name, value] of Object.entries(stats)) {
    if (gauges.includes(name)) family(name, 'gauge', [['', value]]);
    else if (typeof value === 'number') family(`${name}_total`, 'counter', [['', value]]);
    else {
      const { buckets, sum, count } = value; // in milliseconds
      const bound = (le) => (le === Infinity ? '+Inf' : le / 1000);
      const samples = buckets.map(({ le, count: most }) => [`_bucket{le="${bound(le)}"}`, most]);
      family(`${name}_seconds`, 'histogram', [...samples, ['_sum', sum / 1000], ['_count', count]]);
    }
  }
  return `${lines.join('\n')}\n`;
}
