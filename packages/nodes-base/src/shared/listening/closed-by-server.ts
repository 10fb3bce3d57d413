import { AppError } from '@sluice/node-sdk';

/** The failure of a listener whose connection was closed. */
export function closedByServer(): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message: 'the server closed the connection', kind: 'transient' });
}
