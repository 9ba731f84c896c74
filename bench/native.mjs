// npm run bench:native [-- --benchmark_filter=<regular expression> ...]
// Builds the native benchmarks (bench/kernels) and runs them. Passes all arguments to Google Benchmark.
import { run } from '../tools/run.mjs';

run('cmake', ['--preset', 'bench'], { quiet: true });
run('cmake', ['--build', '--preset', 'bench'], { quiet: true });
run('build/bench/bench/kernels/bench_kernels', process.argv.slice(2));
