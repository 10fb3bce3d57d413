import { errorMessage, isAppError, isNodeOperationError, NodeApiError, NodeOperationError } from '@sluice/node-sdk';
import { isLostConnection } from '../../shared/lost-connection.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['EAUTH', 'Check the user and password of the SMTP credential; many services require an app password'],
  ['EENVELOPE', 'Check the addresses: the server does not accept the sender or a recipient'],
  ['EMESSAGE', 'The server refuses the message: check its size and attachments'],
  ['ESOCKET', 'Check host, port and SSL/TLS of the SMTP credential'],
  ['ECONNECTION', 'Check host, port and SSL/TLS of the SMTP credential'],
  ['ETLS', 'Check port and SSL/TLS of the SMTP credential'],
  ['ETIMEDOUT', 'The server does not respond: check host, port and SSL/TLS of the SMTP credential'],
]);

/**
 * The error for a message that was not sent, with the server's message if available. Our own ports'
 * error codes are kept.
 */
export function smtpError(error: unknown, itemIndex: number): NodeOperationError {
  if (isNodeOperationError(error)) return error;
  if (isAppError(error)) {
    const description = 'Check host, port and SSL/TLS of the SMTP credential, and that this service can reach the server';
    return new NodeOperationError(error.message, { itemIndex, description, cause: error }, error.code);
  }
  const { code, response, responseCode } = fieldsOf(error);
  const message = response === '' ? errorMessage(error) : response;
  const text = `the email was not sent: ${message}`;
  const description = hints.get(code) ?? 'Check the SMTP credential and the server’s message';
  const details = { ...(code && { code }), ...(responseCode > 0 && { status: responseCode }) };
  const options = { itemIndex, details, cause: error };
  return isLostConnection(error)
    ? new NodeOperationError(text, { ...options, description }, 'CONNECTION_FAILED')
    : new NodeApiError(text, { ...options, description });
}

function fieldsOf(error: unknown): { code: string; response: string; responseCode: number } {
  const fields: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {};
  const { code, response, responseCode } = fields;
  return {
    code: typeof code === 'string' ? code : '',
    response: typeof response === 'string' ? response : '',
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
  };
}
