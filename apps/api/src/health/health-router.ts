import { Router } from 'express';
import type { Readiness } from './readiness.ts';

/** `/healthz`: the process is alive. `/readyz`: it would accept a run. Both are public and reveal nothing else. */
export function healthRouter(readiness: Readiness): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    await readiness.assertReady();
    response.json({ status: 'ok' });
  });
  return router;
}
