export { ProcessMetrics, type ProcessMetricsOptions } from './process-metrics.ts';
