import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { ShownExecution } from '@sluice/db';
import { JsonText } from '@sluice/domain';
import type { RouteRequest } from '../http/route/define-route.ts';
import { sendRouteResponse } from '../http/route/send-route-response.ts';
import { executionRoutes } from './execution-routes.ts';
import { toExecutionView } from './execution-view.ts';

test('a page with data is written in time slices, and its stored JSON is copied without parsing', async () => {
  const stored = `{"startTime":1,"data":{"main":[[${'{"json":{}},'.repeat(20_000)}{"json":{}}]]}}`;
  const run = Object.assign(new JsonText(stored), { toJSON: () => 'parsed' });
  const records = [{ nodeName: 'A', runIndex: 0, run }];
  const execution = { id: '1', startedAt: null, stoppedAt: null } as ShownExecution;
  const page = { data: [toExecutionView({ execution, data: { records, input: {} } })], nextCursor: null };
  const request = {
    query: { includeData: true },
    services: { executions: { list: async () => page } },
  } as unknown as RouteRequest<string, unknown, unknown>;

  const sent = new PassThrough();
  const response = Object.assign(sent, {
    status: () => response,
    set: () => response,
    type: () => response,
    setTimeout: () => response,
    send: (body: string | Buffer) => sent.end(body),
  });
  const received = text(sent);
  await sendRouteResponse(await executionRoutes.listExecutions.handle(request), response as never, { userId: 'u' });
  expect(await received).toContain(`"runData":{"A":[${stored}]}`);
});
