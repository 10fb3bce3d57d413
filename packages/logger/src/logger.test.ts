import { expect, test } from '@jest/globals';
import { createLogger, logRejection } from './index.ts';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLogger({ name: 'test', level: 'info', keyHeader: 'X-My-Key', destination }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is JSON with level, time, name, the fields and the message', () => {
  const [line] = logged((logger) => logger.info({ executionId: '7' }, 'execution finished'));

  expect(line).toMatchObject({ level: 'info', name: 'test', executionId: '7', msg: 'execution finished' });
  expect(Date.parse(String(line?.['time']))).not.toBeNaN();
});

test('API keys, authorization, cookies and passwords are never written', () => {
  const headers = { 'x-my-key': 'S3', authorization: 'Bearer S3', cookie: 'sid=S3', accept: 'text/html' };
  const lines = logged((logger) => {
    logger.info({ headers, req: { headers } }, 'request');
    logger.info({ password: 'S3', database: { password: 'S3' }, node: { credential: { token: 'S3' } } }, 'connect');
  });

  expect(JSON.stringify(lines)).not.toContain('S3');
  expect(JSON.stringify(lines)).toContain('text/html');
});

test('secrets in lists and in details of errors are not written', () => {
  const details = { token: 'S3', field: 'name' };
  const [listed, failed] = logged((logger) => {
    logger.info({ databases: [{ Password: 'S3', host: 'a' }], at: new Date(0), url: new URL('http://a/') }, 'connect');
    logger.error({ err: Object.assign(new Error('rejected', { cause: 'S' }), { token: 'S3', details }) }, 'failed');
  });
  expect(listed).toMatchObject({ databases: [{ Password: '[redacted]', host: 'a' }], at: '1970-01-01T00:00:00.000Z' });
  expect(listed).toMatchObject({ url: 'http://a/' });
  expect(failed?.['err']).toMatchObject({
    type: 'Error',
    message: 'rejected',
    details: { token: '[redacted]', field: 'name' },
  });
  expect(JSON.stringify([listed, failed])).not.toContain('S3');
});

test('the fields that the caller passed are not changed', () => {
  const fields = { headers: { cookie: 'sid=1' } };
  logged((logger) => logger.info(fields, 'request'));
  expect(fields).toEqual({ headers: { cookie: 'sid=1' } });
});

test.each(['Authorization', 'COOKIE', 'Set-Cookie', 'X-MY-KEY', 'X-Api-Key', 'Proxy-authorization', 'token'])(
  'the header %s is never written, in any spelling',
  (name) => {
    const headers = { [name]: ['S3'], Accept: 'text/html' };
    const lines = logged((logger) => {
      logger.info({ headers }, 'request');
      logger.info({ req: { headers }, id: 7, none: null }, 'request');
    });
    expect(lines).toMatchObject([
      { headers: { [name]: '[redacted]', Accept: 'text/html' } },
      { req: { headers: { [name]: '[redacted]', Accept: 'text/html' } }, id: 7, none: null },
    ]);
  },
);

test('only known fields of an error are written: no body that a library attached to it', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const err = Object.assign(new Error('bad request', { cause }), { body: 'raw secret body', config: { headers: {} } });
  const [line] = logged((logger) => logger.error({ err }, 'request failed'));

  expect(line?.['err']).toMatchObject({ message: 'bad request', cause: { code: 'ECONNREFUSED', message: 'refused' } });
  expect(JSON.stringify(line)).not.toContain('raw secret body');
});

test('all errors of an AggregateError are written', () => {
  const [line] = logged((logger) =>
    logger.error({ err: new AggregateError([new Error('a'), new Error('b')]) }, 'shutdown failed'),
  );

  expect(line?.['err']).toMatchObject({ errors: [{ message: 'a' }, { message: 'b' }] });
});

test('the strings and lists of an error are bounded', () => {
  const long = 'x'.repeat(1_000_000);
  const many = () =>
    new AggregateError(
      Array.from({ length: 1_000 }, () => new Error(long)),
      long,
    );
  const inner = Object.assign(many(), { name: long, code: long, details: { body: long } });
  inner.errors.push(inner);
  const [line] = logged((logger) => logger.error({ err: new Error(long, { cause: inner }) }, 'failed'));
  expect(JSON.stringify(line).length).toBeLessThan(2_000_000);
  expect(line?.['err']).toMatchObject({ cause: { code: '[too long]', details: '[too long]' } });
});

test('a rejection of work that is not awaited is logged', async () => {
  const rejection = Promise.reject(new Error('lost'));
  const lines = logged(() => undefined);
  const logger = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });

  logRejection(logger, rejection, 'could not publish');
  await expect(rejection).rejects.toThrow('lost');

  expect(lines).toMatchObject([{ msg: 'could not publish', err: { message: 'lost' } }]);
});
