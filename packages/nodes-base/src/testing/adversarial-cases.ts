import {
  type AttackPlan,
  brokerPeer,
  count,
  feed,
  fileOf,
  formatting,
  guest,
  host,
  ideographs,
  items,
  jsonResponse,
  largeBody,
  largeToken,
  linePeer,
  list,
  manyItems,
  manyKeys,
  manyObjects,
  oneText,
  redisPeer,
  regexRows,
  rows,
  s3,
  selectors,
  siblings,
  sqlPeer,
  triggerOnly,
  two,
  waits,
} from './attack-plan.ts';

/** A plan for every node type; the test fails for a type without one. */
export const attackPlans: Readonly<Record<string, AttackPlan>> = {
  aggregate: manyItems({ aggregate: 'aggregateAllItemData' }),
  'ai-transform': guest,
  amqp: brokerPeer('amqp', 'AMQP\u0000\u0001\u0000\u0000', { sink: 'q' }),
  'amqp-trigger': brokerPeer('amqp', 'AMQP\u0000\u0001\u0000\u0000', { sink: 'q' }),
  'aws-s3': s3,
  code: guest,
  'compare-datasets': two({ mergeByFields: { values: [{ field1: 'id', field2: 'id' }] }, fuzzyCompare: true }, 30_000),
  compression: {
    input: () =>
      list(
        fileOf('a file to be packed', Buffer.alloc(32 * 1024 * 1024), {
          operation: 'compress',
          binaryPropertyName: 'data',
          outputFormat: 'zip',
        }),
      ),
  },
  'edit-image': {
    input: () =>
      list(
        fileOf('bytes that only begin as an image', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(30_000_000)]), {
          operation: 'information',
        }),
        {
          name: 'a long list of operations',
          run: { parameters: { operation: 'multiStep', operations: { operations: rows(count) } } },
        },
        {
          name: 'a long string',
          run: {
            parameters: {
              operation: 'multiStep',
              operations: { operations: [{ operation: 'create' }, { operation: 'text', text: 'a b'.repeat(3_000) }] },
            },
          },
        },
      ),
  },
  'convert-to-file': {
    input: () =>
      list(
        { name: 'a workbook', run: { json: rows(20_000), parameters: { operation: 'xlsx' } } },
        { name: 'CSV', run: { json: rows(count), parameters: { operation: 'csv' } } },
        {
          name: 'JSON',
          run: { json: rows(count), parameters: { operation: 'toJson', mode: 'once', options: { format: true } } },
        },
        {
          name: 'JSON of objects',
          run: { json: [largeBody()], parameters: { operation: 'toJson', mode: 'each', options: { format: true } } },
        },
        oneText('text of another charset', 'data', ideographs, {
          operation: 'toText',
          sourceProperty: 'data',
          options: { encoding: 'gb18030' },
        }),
      ),
  },
  cron: triggerOnly,
  crypto: {
    input: () =>
      list({
        name: 'many items',
        run: { json: rows(20_000), parameters: { action: 'hash', type: 'SHA3-512', value: 'x'.repeat(1_000) } },
      }),
  },
  'data-table': { nothing: 'the repository reads rows in pages, and checks each value' },
  'date-time': {
    input: () =>
      list(
        { name: 'many items', run: { json: rows(5_000), parameters: formatting('D '.repeat(200)) } },
        { name: 'a long format', run: { json: [{}], parameters: formatting('ZZZZ '.repeat(20_000)) } },
      ),
  },
  'debug-helper': manyItems({ category: 'randomData', randomDataType: 'user', randomDataCount: 100 }, 1_000),
  'email-read-imap': linePeer('imap', '* OK [CAPABILITY IMAP4rev1] ready\r\n', '* SEARCH 1 2 3\r\n', {}),
  'error-trigger': triggerOnly,
  'execute-command': { nothing: 'its command runs in a process of its own' },
  'execute-workflow': waits,
  'execute-workflow-trigger': triggerOnly,
  'execution-data': manyItems({ dataToSave: { values: [{ key: 'a', value: 'b' }] } }),
  'extract-from-file': {
    input: () =>
      list(
        fileOf('CSV of short rows', 'a,b\n'.repeat(1_000_000), { operation: 'csv' }),
        fileOf('JSON of objects', manyObjects, { operation: 'fromJson' }),
        fileOf('text of another charset', Buffer.alloc(16 * 1024 * 1024, 0xb0), {
          operation: 'text',
          destinationKey: 'data',
          options: { encoding: 'gb18030' },
        }),
        fileOf('a calendar with unclosed events', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'.repeat(100_000), {
          operation: 'fromIcs',
        }),
      ),
  },
  filter: regexRows,
  form: waits,
  'form-trigger': triggerOnly,
  ftp: linePeer('ftp', '', '220-a\r\n', { protocol: 'ftp', operation: 'list', path: '/' }),
  function: guest,
  'function-item': guest,
  graphql: jsonResponse(`{"data":${manyObjects}}`),
  html: {
    input: () =>
      list(
        oneText('siblings', 'data', siblings, { operation: 'extractHtmlContent', extractionValues: selectors }),
        oneText('a large page', 'data', '<p class="a">x</p>'.repeat(90_000), {
          operation: 'extractHtmlContent',
          extractionValues: { values: [{ key: 'x', cssSelector: 'p', returnArray: true }] },
        }),
        oneText('nested text', 'data', `${'<b>'.repeat(120)}${'a b '.repeat(3_000)}`, {
          operation: 'extractHtmlContent',
          extractionValues: { values: [{ key: 'x', cssSelector: 'b', returnArray: true }] },
        }),
        { name: 'a table', run: { json: rows(30_000), parameters: { operation: 'convertToHtmlTable' } } },
      ),
  },
  'html-extract': { input: () => list(oneText('siblings', 'data', siblings, { extractionValues: selectors })) },
  'http-request': {
    http: () => ({
      contentType: 'application/json',
      body: manyObjects,
      run: (url) => ({
        parameters: { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody: largeBody(), options: {} },
      }),
    }),
  },
  'i-cal': manyItems({ title: 'x', start: '2024-01-01T00:00:00Z', end: '2024-01-02T00:00:00Z' }, 5_000),
  if: regexRows,
  interval: triggerOnly,
  'item-lists': manyItems({ operation: 'sort', type: 'simple', sortFieldsUi: { sortField: [{ fieldName: 'value' }] } }),
  jwt: { input: () => list({ name: 'a large token', run: { parameters: { operation: 'decode', token: largeToken() } } }) },
  kafka: brokerPeer('kafka', '\u0000\u0000\u0001\u0000'.repeat(64), { topic: 't', sendInputData: true }),
  'kafka-trigger': brokerPeer('kafka', '\u0000\u0000\u0001\u0000'.repeat(64), { topic: 't', groupId: 'g' }),
  limit: manyItems({ maxItems: 99_999 }),
  'local-file-trigger': { nothing: 'it receives one file at a time' },
  'manual-trigger': triggerOnly,
  markdown: {
    input: () =>
      list(
        {
          name: 'HTML',
          run: { json: [{}], parameters: { mode: 'htmlToMarkdown', html: `<ul>${'<li>'.repeat(15_000)}</ul>` } },
        },
        {
          name: 'Markdown',
          run: { json: [{}], parameters: { mode: 'markdownToHtml', markdown: '>\n'.repeat(500) } },
        },
      ),
  },
  merge: {
    input: () =>
      list(
        {
          name: 'all with all',
          run: { inputs: [items(rows(300)), items(rows(300))], parameters: { mode: 'combine', combineBy: 'combineAll' } },
        },
        {
          name: 'by a field',
          run: {
            inputs: [items(rows(20_000)), items(rows(20_000))],
            parameters: { mode: 'combine', fieldsToMatchString: 'id' },
          },
        },
      ),
  },
  'mongo-db': {
    peer: {
      greeting: '',
      piece: '\u0010\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
      credentials: (port) => ({ mongoDb: { connectionString: `mongodb://${host}:${port}/db?directConnection=true` } }),
      parameters: { operation: 'find', collection: 'c', query: '{}' },
    },
  },
  'move-binary-data': {
    input: () =>
      list(
        fileOf('JSON of objects', manyObjects, { mode: 'binaryToJson', setAllData: true }),
        fileOf('JSON of keys', manyKeys, { mode: 'binaryToJson', setAllData: true }),
        { name: 'a large item', run: { json: [{ rows: rows(count) }], parameters: { mode: 'jsonToBinary' } } },
      ),
  },
  mqtt: brokerPeer('mqtt', '\u0020\u0002\u0000\u0000', { topic: 't', sendInputData: true }),
  'mqtt-trigger': brokerPeer('mqtt', '\u0020\u0002\u0000\u0000', { topics: 't' }),
  'my-sql': sqlPeer('mySql', '', '\u0001\u0000\u0000\u0000a'),
  'n8n-training-customer-datastore': manyItems({ operation: 'getAllPeople' }),
  'n8n-training-customer-messenger': manyItems({ customerId: '1', message: 'Hello' }),
  'n8n-trigger': triggerOnly,
  'no-op': manyItems({}),
  postgres: sqlPeer('postgres', 'N', 'S\u0000\u0000\u0000\u0008a\u0000b\u0000'),
  'postgres-trigger': sqlPeer('postgres', 'N', 'S\u0000\u0000\u0000\u0008a\u0000b\u0000'),
  rabbitmq: brokerPeer('rabbitmq', 'AMQP\u0000\u0000\u0009\u0001', { queue: 'q', sendInputData: true }),
  'rabbitmq-trigger': brokerPeer('rabbitmq', 'AMQP\u0000\u0000\u0009\u0001', { queue: 'q' }),
  'read-binary-file': { nothing: 'a file is stored as a stream' },
  'read-binary-files': { nothing: 'files are stored as streams' },
  'read-pdf': {
    input: () =>
      list(fileOf('open objects', `%PDF-1.7\n${'1 0 obj << /A [ '.repeat(200_000)}`, { binaryPropertyName: 'data' })),
  },
  'read-write-file': { nothing: 'files are read and written as streams' },
  redis: redisPeer,
  'redis-trigger': redisPeer,
  'remove-duplicates': manyItems({ compare: 'allFields' }),
  'rename-keys': {
    input: () =>
      list(
        {
          name: 'patterns over an item that is just light enough',
          run: {
            json: [{ list: rows(4_000) }],
            parameters: {
              additionalOptions: {
                regexReplacement: {
                  replacements: Array.from({ length: 50 }, () => ({ searchRegex: 'v', replaceRegex: 'ww' })),
                },
              },
            },
          },
        },
        {
          name: 'a pattern over many keys',
          run: {
            json: rows(20_000),
            parameters: {
              additionalOptions: { regexReplacement: { replacements: [{ searchRegex: '(a|b){500}', replaceRegex: 'c' }] } },
            },
          },
        },
      ),
  },
  'respond-to-webhook': { nothing: 'it passes its response to the engine' },
  'rss-feed-read': feed,
  'rss-feed-read-trigger': feed,
  s3,
  'schedule-trigger': triggerOnly,
  'send-email': linePeer('smtp', '', '220-a\r\n', {
    fromEmail: 'a@example.com',
    toEmail: 'b@example.com',
    subject: 's',
    text: 't',
  }),
  set: {
    input: () =>
      list(
        {
          name: 'many items',
          run: {
            json: rows(50_000),
            parameters: {
              assignments: { assignments: [{ name: 'a.b', value: 'x', type: 'string' }] },
              includeOtherFields: true,
            },
          },
        },
        {
          name: 'many names',
          run: {
            json: rows(1),
            parameters: { include: 'selected', includeOtherFields: true, includeFields: 'a,'.repeat(700_000) },
          },
        },
        {
          name: 'a long path',
          run: {
            json: rows(1),
            parameters: { assignments: { assignments: [{ name: 'a.'.repeat(700_000), value: 'x', type: 'string' }] } },
          },
        },
        {
          name: 'a long list as text',
          run: {
            json: rows(1),
            parameters: { assignments: { assignments: [{ name: 'a', value: `[${'[],'.repeat(900_000)}1]`, type: 'array' }] } },
          },
        },
        {
          name: 'many fields of many items that are just light enough',
          run: {
            json: rows(50),
            parameters: {
              assignments: {
                assignments: Array.from({ length: 2_000 }, (_, i) => ({ name: `k${i}.a`, value: 'x', type: 'string' })),
              },
              includeOtherFields: true,
            },
          },
        },
        {
          name: 'text that is nearly JSON',
          run: { json: [{}], parameters: { mode: 'raw', jsonOutput: ['', `{"a":${'`'.repeat(2_000_000)}}`, ''] } },
        },
      ),
  },
  sort: manyItems({ type: 'simple', sortFieldsUi: { sortField: [{ fieldName: 'value' }, { fieldName: 'tags' }] } }),
  'split-in-batches': manyItems({ batchSize: 1 }),
  'split-out': {
    input: () =>
      list(
        {
          name: 'a long list',
          run: { json: [{ list: rows(50_000) }], parameters: { fieldToSplitOut: 'list', include: 'noOtherFields' } },
        },
        {
          name: 'many fields',
          run: {
            json: [{ a: Array.from({ length: 5_000 }, () => 1) }],
            parameters: {
              fieldToSplitOut: 'a,'.repeat(1_500),
              options: { destinationFieldName: Array.from({ length: 1_500 }, (_, i) => `k${i}`).join(',') },
            },
          },
        },
      ),
  },
  'spreadsheet-file': {
    input: () => list(fileOf('CSV of short rows', 'a,b\n'.repeat(1_000_000), { operation: 'fromFile', fileFormat: 'csv' })),
  },
  'sse-trigger': {
    http: () => ({
      contentType: 'text/event-stream',
      body: 'data: a\n'.repeat(500_000),
      run: (origin) => ({ parameters: { url: origin } }),
    }),
  },
  ssh: linePeer('sshPassword', 'SSH-2.0-a\r\n', '\u0000\u0000\u0000\u0010\u0000', { command: 'ls' }),
  'stop-and-error': { nothing: 'it takes one message' },
  summarize: manyItems(
    {
      fieldsToSummarize: { values: [{ field: 'tags', aggregation: 'countUnique' }] },
      fieldsToSplitBy: 'id',
    },
    50_000,
  ),
  switch: {
    input: () =>
      list({
        name: 'many items',
        run: {
          json: rows(30_000),
          parameters: { mode: 'expression', numberOutputs: 4, output: 1 },
        },
      }),
  },
  totp: {
    input: () =>
      list({
        name: 'many items',
        run: { json: rows(20_000), credentials: { totpApi: { secret: 'JBSWY3DPEHPK3PXP', label: 'a:b' } } },
      }),
  },
  wait: waits,
  webhook: triggerOnly,
  'workflow-trigger': triggerOnly,
  'write-binary-file': { nothing: 'a file is written as a stream' },
  xml: {
    input: () =>
      list(
        oneText('many elements', 'data', `<a>${'<b/>'.repeat(300_000)}</a>`, { mode: 'xmlToJson' }),
        oneText('deep elements', 'data', '<a>'.repeat(200_000), { mode: 'xmlToJson' }),
        { name: 'a document of many items', run: { json: [{ rows: rows(20_000) }], parameters: { mode: 'jsonToxml' } } },
      ),
  },
};
