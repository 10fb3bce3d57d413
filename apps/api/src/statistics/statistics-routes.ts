import { getStatisticsQuery, statisticsView } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

export const statisticsRoutes = defineRoutes({
  getStatistics: defineRoute({
    method: 'get',
    path: '/statistics',
    scope: 'execution:list',
    summary: 'Read counts and durations of executions over time',
    query: getStatisticsQuery,
    responses: { 200: statisticsView },
    async handle({ query, caller, services }) {
      return { body: await services.statistics.get(query, caller), shared: true };
    },
  }),
});
