import type { ArrayFormat } from './query-string.ts';

/** Options of `helpers.httpRequest`. */
export interface HttpRequestOptions {
  url: string;
  baseURL?: string;
  method?: string;
  headers?: Record<string, unknown>;
  qs?: object;
  arrayFormat?: ArrayFormat;
  body?: unknown;
  /** True: the response is JSON, and so is an object body. */
  json?: boolean;
  auth?: { username?: string; password?: string };
  encoding?: 'arraybuffer' | 'blob' | 'document' | 'json' | 'text' | 'stream';
  returnFullResponse?: boolean;
  ignoreHttpStatusErrors?: boolean | { ignore: boolean; except?: readonly number[] };
  disableFollowRedirect?: boolean;
  maxRedirects?: number;
  skipSslCertificateValidation?: boolean;
  timeout?: number;
  proxy?: string | { host: string; port: number; protocol?: string; auth?: { username: string; password: string } };
}

/** Options of `helpers.request`, the older function, with its library's names. */
export interface LegacyRequestOptions {
  uri?: string;
  url?: string;
  baseUrl?: string;
  baseURL?: string;
  method?: string;
  headers?: Record<string, unknown>;
  qs?: object;
  qsStringifyOptions?: { arrayFormat?: ArrayFormat };
  useQuerystring?: boolean;
  body?: unknown;
  form?: unknown;
  formData?: Record<string, unknown>;
  /** True: body and response are JSON. Any other value is the body itself. */
  json?: unknown;
  auth?: { user?: string; username?: string; pass?: string; password?: string; bearer?: string };
  /** Null: the response is bytes. */
  encoding?: string | null;
  resolveWithFullResponse?: boolean;
  /** False: any status is a success. */
  simple?: boolean;
  followRedirect?: boolean;
  followAllRedirects?: boolean;
  maxRedirects?: number;
  rejectUnauthorized?: boolean;
  strictSSL?: boolean;
  timeout?: number;
  proxy?: HttpRequestOptions['proxy'];
  useStream?: boolean;
}

/** Common form of both sets of options. */
export interface RequestPlan extends Omit<HttpRequestOptions, 'auth' | 'json' | 'encoding'> {
  form?: unknown;
  formData?: Record<string, unknown>;
  /** Whether an object body is sent as JSON, regardless of its headers. */
  sendsJson: boolean;
  acceptsJson: boolean;
  /** `auto`: JSON if valid, else text. */
  responseType: 'auto' | 'json' | 'text' | 'bytes' | 'stream';
  basic?: { user: string; password: string };
  bearer?: string;
}

export function planOf(options: HttpRequestOptions): RequestPlan {
  const { auth, json, encoding, ...rest } = options;
  return {
    ...rest,
    sendsJson: true,
    acceptsJson: json === true,
    responseType: responseTypeOf(encoding),
    ...(auth && { basic: { user: auth.username ?? '', password: auth.password ?? '' } }),
  };
}

function responseTypeOf(encoding: HttpRequestOptions['encoding']): RequestPlan['responseType'] {
  switch (encoding) {
    case 'arraybuffer':
    case 'blob':
      return 'bytes';
    case 'stream':
      return 'stream';
    case 'text':
    case 'document':
      return 'text';
    default:
      return 'auto';
  }
}

/** @param uriOrOptions a URI takes its options as the second argument. */
export function legacyPlanOf(uriOrOptions: string | LegacyRequestOptions, further: LegacyRequestOptions = {}): RequestPlan {
  const options = typeof uriOrOptions === 'string' ? { ...further, uri: uriOrOptions } : uriOrOptions;
  const { json, method, headers, qs, form, formData, maxRedirects, timeout, proxy } = options;
  const usesJson = json !== undefined && json !== false;
  return withoutUndefined({
    url: options.uri ?? options.url ?? '',
    baseURL: options.baseUrl ?? options.baseURL,
    arrayFormat: options.useQuerystring ? 'repeat' : options.qsStringifyOptions?.arrayFormat,
    body: usesJson && json !== true ? json : options.body,
    sendsJson: usesJson,
    acceptsJson: usesJson,
    responseType: legacyResponseType(options),
    returnFullResponse: options.resolveWithFullResponse === true,
    ignoreHttpStatusErrors: options.simple === false,
    disableFollowRedirect: options.followRedirect === false && options.followAllRedirects !== true,
    skipSslCertificateValidation: options.rejectUnauthorized === false || options.strictSSL === false,
    ...{ method, headers, qs, form, formData, maxRedirects, timeout, proxy },
    ...legacyAuth(options.auth),
  });
}

/** An undefined option is treated as absent. */
function withoutUndefined(plan: { [name in keyof RequestPlan]: RequestPlan[name] | undefined }): RequestPlan {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined)) as unknown as RequestPlan;
}

function legacyAuth(auth: LegacyRequestOptions['auth']): Pick<RequestPlan, 'basic' | 'bearer'> {
  if (!auth) return {};
  const { bearer, user, username, pass, password } = auth;
  return bearer === undefined ? { basic: { user: user ?? username ?? '', password: pass ?? password ?? '' } } : { bearer };
}

function legacyResponseType({ encoding, json, useStream }: LegacyRequestOptions): RequestPlan['responseType'] {
  if (useStream) return 'stream';
  if (encoding === null) return 'bytes';
  return json === undefined || json === false ? 'text' : 'json';
}
