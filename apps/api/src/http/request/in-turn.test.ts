import { expect, test } from '@jest/globals';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { constantHeaders, inTurn } from './in-turn.ts';

const request = {} as Request;
const response = {} as Response;

test('middleware runs in turn, and passes on to the next layer once', () => {
  const called: unknown[] = [];
  const step =
    (name: string): RequestHandler =>
    (_request, _response, next) => {
      called.push(name);
      next();
    };
  const next: NextFunction = (error?: unknown) => called.push(['next', error]);
  void inTurn(step('a'), step('b'))(request, response, next);
  expect(called).toEqual(['a', 'b', ['next', undefined]]);
});

test('an error skips the rest of the middleware', () => {
  const refused = new Error('refused');
  const errors: unknown[] = [];
  const refuse: RequestHandler = (_request, _response, next) => next(refused);
  const unreachable: RequestHandler = () => {
    throw new Error('reached');
  };
  void inTurn(refuse, unreachable)(request, response, (error?: unknown) => errors.push(error));
  expect(errors).toEqual([refused]);
});

test('a middleware that fails while its headers are computed fails at startup', () => {
  const failing: RequestHandler = (_request, _response, next) => next(new Error('invalid policy'));
  expect(() => constantHeaders(failing)).toThrow('invalid policy');
});
