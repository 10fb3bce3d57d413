import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { BinaryReference, JsonObject, NodeType } from '@sluice/node-sdk';
import { realPorts } from '../../testing/credential-ports.ts';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { type S3Server, s3Server } from '../../testing/s3-server.ts';
import { awsS3 } from '../aws-s3/aws-s3.ts';
import { example as awsExample } from '../aws-s3/example.ts';
import { example } from './example.ts';
import { s3 } from './s3.ts';

const ports = realPorts();
let server: S3Server | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => ports.close());

function withServer(parameters: JsonObject, more: FakeRun = {}): FakeRun {
  const endpoint = `http://127.0.0.1:${server?.port}`;
  const keys = { region: 'eu-west-1', accessKeyId: 'id', secretAccessKey: 'secret' };
  const credentials = {
    s3: { ...keys, endpoint, forcePathStyle: true },
    aws: { ...keys, customEndpoints: true, s3Endpoint: endpoint },
  };
  return { http: ports.http, credentials, parameters, ...more };
}
const run = (parameters: JsonObject, more?: FakeRun, type: NodeType = s3) => runForJson(type, withServer(parameters, more));
const object = (key: string) => `<Contents><Key>${key}</Key><Size>4</Size></Contents>`;
const listOf = (keys: string[], more = '') => `<ListBucketResult>${keys.map(object).join('')}${more}</ListBucketResult>`;

test('the examples work', async () => {
  server = await s3Server(
    () => `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>2026/day.csv</Key><LastModified>2026-01-02T00:00:00.000Z</LastModified>
      <ETag>"1b2c"</ETag><Size>4</Size><StorageClass>STANDARD</StorageClass></Contents></ListBucketResult>`,
  );
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  await server.close();
  server = await s3Server(() => '');
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from('a,b\n'), { fileName: 'x.csv', mimeType: 'text/csv' });
  expect(await run(awsExample.parameters, { binary, inputs: [[{ json: {}, binary: { data } }]] }, awsS3)).toEqual(
    awsExample.outputs?.[0],
  );
  expect(server.received).toMatchObject([{ method: 'PUT', url: '/reports/2026/day.csv', body: 'a,b\n' }]);
});

describe('files', () => {
  test('upload streams a file with its length, its type, and the additional fields', async () => {
    server = await s3Server(() => '');
    const binary = memoryBinary();
    const data = await binary.store(Buffer.from('bytes'), { fileName: 'ü (1).bin', mimeType: 'image/png' });
    const additionalFields = { acl: 'publicRead', storageClass: 'standardIA', requesterPays: true };
    const tagsUi = { tagsValues: [{ key: 'a', value: 'b c' }] };
    await run(
      { operation: 'upload', bucketName: 'b', additionalFields, tagsUi },
      { binary, inputs: [[{ json: {}, binary: { data } }]] },
    );
    expect(server.received).toMatchObject([
      {
        method: 'PUT',
        url: '/b/%C3%BC%20%281%29.bin',
        body: 'bytes',
        headers: {
          'content-length': '5',
          'content-type': 'image/png',
          'x-amz-acl': 'public-read',
          'x-amz-storage-class': 'STANDARD_IA',
          'x-amz-request-payer': 'requester',
          'x-amz-tagging': 'a=b+c',
          'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
          authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/s3\//),
        },
      },
    ]);
  });

  test('the signature of a string covers its content', async () => {
    server = await s3Server(() => '');
    await run({ operation: 'upload', bucketName: 'b', fileName: 'a.txt', binaryData: false, fileContent: 'text' });
    expect(server.received).toMatchObject([
      { body: 'text', headers: { 'x-amz-content-sha256': expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
  });

  test('download keeps the item’s fields', async () => {
    server = await s3Server(() => 'content');
    const binary = memoryBinary();
    const parameters = { operation: 'download', bucketName: 'b', fileKey: 'x/a.txt' };
    const [items] = await runNode(s3, withServer(parameters, { binary, json: [{ n: 1 }] }));
    expect(items).toMatchObject([{ json: { n: 1 }, binary: { data: { fileName: 'a.txt' } } }]);
    expect(Buffer.from(await binary.read(items?.[0]?.binary?.['data'] as BinaryReference)).toString()).toBe('content');
  });

  test('a list page may have any length', async () => {
    server = await s3Server(() => listOf(Array.from({ length: 200_000 }, (_, n) => `${n}`)));
    expect(await run({ operation: 'getAll', bucketName: 'b', returnAll: true })).toHaveLength(200_000);
  });

  test('lists are read page by page, without folders, up to the limit', async () => {
    server = await s3Server(({ url }) =>
      url.includes('continuation-token=t%2F1')
        ? listOf(['c', 'd'])
        : listOf(['a', 'f/', 'b'], '<IsTruncated>true</IsTruncated><NextContinuationToken>t/1</NextContinuationToken>'),
    );
    const keys = async (more: JsonObject) =>
      (await run({ operation: 'getAll', bucketName: 'b', ...more })).map(({ Key: key }) => key);
    expect(await keys({ returnAll: true })).toEqual(['a', 'b', 'c', 'd']);
    expect(await keys({ limit: 3 })).toEqual(['a', 'b', 'c']);
    expect(await keys({ limit: 2 })).toEqual(['a', 'b']);
    expect(server.received).toHaveLength(5);
  });

  test('an endless list is an error before it fills the memory', async () => {
    const endless = '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>';
    const long = 'k'.repeat(900_000);
    server = await s3Server(() => listOf(['a', long], endless));
    const all = { operation: 'getAll', bucketName: 'b', returnAll: true };
    await expect(run(all)).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE', itemIndex: 0 });
    const failed = { error: 'the result is larger than 64 MiB' };
    expect(await run(all, { json: [{}, {}], continueOnFail: true })).toEqual([failed, failed]);
  });

  test('copy and delete', async () => {
    server = await s3Server(({ method }) => (method === 'PUT' ? '<CopyObjectResult><ETag>"1"</ETag></CopyObjectResult>' : ''));
    const copy = { operation: 'copy', sourcePath: '/a/x y.txt', destinationPath: 'b/z.txt' };
    expect(await run(copy)).toEqual([{ ETag: '"1"' }]);
    expect(await run({ operation: 'delete', bucketName: 'b', fileKey: 'z.txt', options: { versionId: '7' } })).toEqual([
      { success: true },
    ]);
    expect(server.received).toMatchObject([
      { method: 'PUT', url: '/b/z.txt', headers: { 'x-amz-copy-source': '/a/x%20y.txt' } },
      { method: 'DELETE', url: '/b/z.txt?versionId=7' },
    ]);
    await expect(run({ ...copy, sourcePath: 'nothing' })).rejects.toThrow('"sourcePath" must name a bucket and a file');
  });
});

test('folders are created, listed, and removed with all their contents', async () => {
  server = await s3Server(({ method }) => (method === 'GET' ? listOf(['f/', 'f/a']) : ''));
  const folder = { resource: 'folder', bucketName: 'b' };
  expect(await run({ ...folder, operation: 'create', folderName: 'f' })).toEqual([{ success: true }]);
  expect(await run({ ...folder, operation: 'getAll' })).toEqual([{ Key: 'f/', Size: '4' }]);
  expect(await run({ ...folder, operation: 'delete', folderKey: 'f' })).toEqual([{ deleted: [{ Key: 'f/' }, { Key: 'f/a' }] }]);
  expect(server.received.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '')}`)).toEqual(
    ['PUT /b/f/', 'GET /b', 'GET /b', 'DELETE /b/f/', 'DELETE /b/f/a'].map((line) => line.replace('GET /b', 'GET /b/')),
  );
});

test('buckets are created, listed, searched, and removed', async () => {
  const all = '<ListAllMyBucketsResult><Buckets><Bucket><Name>b</Name></Bucket></Buckets></ListAllMyBucketsResult>';
  server = await s3Server(({ method, url }) => (method !== 'GET' ? '' : url === '/' ? all : listOf(['a'])));
  const bucket = { resource: 'bucket' };
  expect(await run({ ...bucket, operation: 'create', name: 'b', additionalFields: { acl: 'Private' } })).toEqual([
    { success: true },
  ]);
  expect(await run({ ...bucket, operation: 'getAll' })).toEqual([{ Name: 'b' }]);
  expect(await run({ ...bucket, operation: 'search', bucketName: 'b', additionalFields: { prefix: 'a' } })).toEqual([
    { Key: 'a', Size: '4' },
  ]);
  expect(await run({ ...bucket, operation: 'delete', name: 'b' })).toEqual([{ success: true }]);
  expect(server.received[0]).toMatchObject({ headers: { 'x-amz-acl': 'private' }, body: expect.stringContaining('eu-west-1') });
});

describe('names that would resolve to another bucket are refused before anything is sent', () => {
  test.each([
    { bucketName: 'b', fileKey: '../other/secret.txt' },
    { bucketName: 'b', fileKey: 'x/../../other/secret.txt' },
    { bucketName: '..', fileKey: 'other/secret.txt' },
    { bucketName: 'b/../other', fileKey: 'secret.txt' },
    { bucketName: 'other.test/', fileKey: 'secret.txt' },
  ])('%j', async (names) => {
    server = await s3Server(() => 'content');
    await expect(run({ operation: 'download', ...names })).rejects.toThrow(
      /cannot be part of an address|is not the name of a bucket/,
    );
    expect(server.received).toEqual([]);
  });
});

describe('failures', () => {
  const refusal = { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>' };

  test('an error is the service’s, with its code and the item', async () => {
    server = await s3Server(() => refusal);
    const parameters = { operation: 'download', bucketName: 'b', fileKey: 'a' };
    await expect(run(parameters)).rejects.toMatchObject({
      message: 'Access Denied',
      details: { status: 403, code: 'AccessDenied' },
      itemIndex: 0,
    });
    expect(await run(parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
      { error: 'Access Denied' },
      { error: 'Access Denied' },
    ]);
  });

  test('a copy that fails after the response started is an error', async () => {
    server = await s3Server(() => refusal.body);
    await expect(run({ operation: 'copy', sourcePath: 'a/b', destinationPath: 'a/c' })).rejects.toThrow('Access Denied');
  });

  test('a grant without a grantee is rejected', async () => {
    server = await s3Server(() => '');
    const parameters = { resource: 'bucket', operation: 'create', name: 'b', additionalFields: { grantRead: true } };
    await expect(run(parameters)).rejects.toMatchObject({ code: 'NOT_SUPPORTED', itemIndex: 0 });
    expect(server.received).toEqual([]);
  });

  test('an assumed role is refused', async () => {
    server = await s3Server(() => '');
    await expect(run({ authentication: 'assumeRole' }, {}, awsS3)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });
});
