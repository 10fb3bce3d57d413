import { AppError } from '@sluice/node-sdk';

/** Why a listener whose connection has ended has failed. */
export function closedByServer(): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message: 'the server closed the connection', kind: 'transient' });
}
