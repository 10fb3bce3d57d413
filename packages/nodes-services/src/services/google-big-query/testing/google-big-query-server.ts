import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const location = { type: 'string', pattern: '^[\\w-]+$' };
const jobReference = { projectId: 'acme', jobId: 'job_1', location: 'EU' };
const column = (name: string, type: string, more: object = {}) => ({ name, type, mode: 'NULLABLE', ...more });
const parameter = fields({
  'name!': text,
  'parameterType!': fields({ 'type!': { const: 'STRING' } }),
  'parameterValue!': fields({ 'value!': { type: 'string' } }),
});

/** https://cloud.google.com/bigquery/docs/reference/rest, for the token `ya29`. */
export function googleBigQueryServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://bigquery.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'POST /bigquery/v2/projects/:project/queries': {
        body: fields({
          'query!': text,
          'useLegacySql!': { type: 'boolean' },
          'timeoutMs!': { type: 'integer' },
          'maxResults!': { type: 'integer', minimum: 1 },
          'formatOptions!': fields({ 'useInt64Timestamp!': { const: true } }),
          location,
          defaultDataset: fields({ 'datasetId!': text }),
          maximumBytesBilled: { type: 'string', pattern: '^\\d+$' },
          dryRun: { type: 'boolean' },
          parameterMode: { const: 'NAMED' },
          queryParameters: { type: 'array', items: parameter },
        }),
        answer: () => ({
          json: {
            jobComplete: true,
            jobReference,
            schema: { fields: [column('name', 'STRING'), column('orders', 'INTEGER')] },
            rows: [{ f: [{ v: 'Ada' }, { v: '2' }] }],
          },
        }),
      },
      'GET /bigquery/v2/projects/:project/queries/:job': {
        query: fields({
          'location!': location,
          'maxResults!': { type: 'string', pattern: '^[1-9]\\d*$' },
          'formatOptions.useInt64Timestamp!': { const: 'true' },
          timeoutMs: { type: 'string', pattern: '^\\d+$' },
          pageToken: text,
        }),
        answer: () => ({ json: { jobComplete: true, jobReference, rows: [{ f: [{ v: 'Grace' }, { v: '1' }] }] } }),
      },
      'POST /bigquery/v2/projects/:project/datasets/:dataset/tables/:table/insertAll': {
        body: fields({
          'rows!': { type: 'array', minItems: 1, maxItems: 500, items: fields({ 'json!': { type: 'object' } }) },
          ignoreUnknownValues: { type: 'boolean' },
          skipInvalidRows: { type: 'boolean' },
          templateSuffix: text,
        }),
        answer: () => ({ json: { kind: 'bigquery#tableDataInsertAllResponse' } }),
      },
    },
  });
}
