import { NotFoundError } from '@sluice/domain';
import type { RequestHandler } from 'express';

/** Returns 404 for a path with a null character, which Postgres cannot store in text. */
export const refuseNull: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.split('?', 1)[0]?.includes('%00')) throw new NotFoundError('there is nothing at this path');
  next();
};
