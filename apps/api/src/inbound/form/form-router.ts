import { type RequestHandler, Router } from 'express';
import { MethodNotAllowedError } from '../shared/errors.ts';
import type { FormPorts } from './form-ports.ts';
import { handleForm } from './handle-form.ts';
import { handleVisit } from './handle-visit.ts';

const methods = ['GET', 'HEAD', 'POST'];

/**
 * `/form/<path>`: forms that start active workflows; `/form-test/<path>`: those of test URLs; `/form-waiting/<execution>/<token>`: forms that executions wait
 * for, and what comes after one. All for browsers: GET shows, POST sends. No API key is asked for; who may, is the node's to say. What they refuse goes to
 * `formProblems`.
 */
export function formRouter(ports: FormPorts): Router {
  const router = Router();
  router.all('/form/*path', allowMethods, handleForm(ports, { atTestUrl: false }));
  router.all('/form-test/*path', allowMethods, handleForm(ports, { atTestUrl: true }));
  router.all('/form-waiting/:executionId/:token{/*suffix}', allowMethods, handleVisit(ports));
  return router;
}

const allowMethods: RequestHandler = ({ method }, _response, next) => {
  if (!methods.includes(method)) throw new MethodNotAllowedError(methods);
  next();
};
