import { getStatistics } from './get-statistics.ts';

export const statisticsRoutes = [getStatistics];
