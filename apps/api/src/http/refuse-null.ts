import { NotFoundError } from '@sluice/domain';
import type { RequestHandler } from 'express';

/** Nothing is at a path with the one character that no text of the database can have: it is a miss like any other. */
export const refuseNull: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.split('?', 1)[0]?.includes('%00')) throw new NotFoundError('there is nothing at this path');
  next();
};
