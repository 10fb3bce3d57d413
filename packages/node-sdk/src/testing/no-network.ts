import type { HttpClient } from '../http.ts';

const unexpected = () => Promise.reject(new Error('the test expected no network'));

/** An HTTP client for code that makes no request; every use of it fails. */
export const noNetwork: HttpClient = {
  request: unexpected,
  stream: unexpected,
  guard: {
    check: unexpected,
    lookup: (_hostname, _options, callback) => callback(new Error('the test expected no network'), []),
  },
};
