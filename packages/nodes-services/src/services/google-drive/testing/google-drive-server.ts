import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const yes = { const: 'true' };
const toggled = { enum: ['true', 'false'] };
const ids = { type: 'array', minItems: 1, items: text };
const properties = { type: 'object', additionalProperties: { type: 'string' } };
const all = { 'supportsAllDrives!': yes };
const written = { keepRevisionForever: toggled, ocrLanguage: text, useContentAsIndexableText: toggled };
const metadata = {
  name: text,
  mimeType: text,
  parents: ids,
  description: text,
  folderColorRgb: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
  copyRequiresWriterPermission: flag,
  trashed: flag,
  properties,
  appProperties: properties,
};
const restrictions = fields({
  adminManagedRestrictions: flag,
  copyRequiresWriterPermission: flag,
  domainUsersOnly: flag,
  driveMembersOnly: flag,
});
const allFiles = [
  { id: 'f1', name: 'report 1.pdf' },
  { id: 'f2', name: 'report 2.pdf' },
];

/** Readable files. */
const files: Readonly<Record<string, object>> = {
  f1: { name: 'report 1.pdf', mimeType: 'application/pdf', parents: ['old1', 'old2'] },
  doc1: { name: 'Plan', mimeType: 'application/vnd.google-apps.document' },
  form1: { name: 'Form', mimeType: 'application/vnd.google-apps.form' },
  short1: {
    name: 'Link',
    mimeType: 'application/vnd.google-apps.shortcut',
    shortcutDetails: { targetId: 'f1', targetMimeType: 'application/pdf' },
  },
};

/** A session's metadata and bytes. */
interface Upload {
  json: object;
  bytes: Buffer;
}

export interface DriveServer extends ApiServer {
  /** Sessions by their IDs. */
  uploads: Map<string, Upload>;
  /** Called for each part before it is stored; a returned status replaces the response. */
  part: (call: { count: number; range: string; bytes: Buffer; upload: Upload }) => number | undefined;
}

/** https://developers.google.com/workspace/drive/api/reference/rest/v3, for the token `ya29`. */
export async function googleDriveServer(): Promise<DriveServer> {
  const state: Pick<DriveServer, 'uploads' | 'part'> = { uploads: new Map(), part: () => undefined };
  const session = (): ApiRoute => ({
    query: fields({ 'uploadType!': { const: 'resumable' }, 'fields!': text, addParents: text, ...all, ...written }),
    headers: { 'x-upload-content-type': /^[\w.+-]+\/[\w.+-]+/, 'x-upload-content-length': /^\d+$/ },
    body: fields(metadata),
    answer: ({ body, params }) => {
      const id = `s${state.uploads.size + 1}`;
      state.uploads.set(id, { json: { id: params['id'] ?? 'f9', ...(body as object) }, bytes: Buffer.alloc(0) });
      const location = `https://www.googleapis.com/upload/drive/v3/sessions/${id}?upload_id=${id}`;
      return { headers: { location } };
    },
  });
  const server = await apiServer({
    baseUrl: 'https://www.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /drive/v3/files': {
        query: fields({
          'fields!': text,
          'pageSize!': { type: 'string', pattern: '^([1-9]\\d{0,2}|1000)$' },
          q: text,
          pageToken: text,
          orderBy: text,
          corpora: { enum: ['user', 'domain', 'drive', 'allDrives'] },
          driveId: text,
          spaces: text,
          supportsAllDrives: yes,
          includeItemsFromAllDrives: yes,
        }),
        answer: ({ query }) =>
          query['pageToken'] === 'next'
            ? { json: { files: allFiles.slice(1) } }
            : { json: { files: allFiles.slice(0, 1), nextPageToken: 'next' } },
      },
      'GET /drive/v3/changes/startPageToken': {
        query: fields({ driveId: text, ...all }),
        answer: () => ({ json: { startPageToken: '1' } }),
      },
      'GET /drive/v3/changes': {
        query: fields({
          'pageToken!': text,
          'pageSize!': { const: '500' },
          'fields!': text,
          driveId: text,
          includeItemsFromAllDrives: yes,
          ...all,
        }),
        answer: ({ query }) => ({ json: { changes: [], newStartPageToken: query['pageToken'] } }),
      },
      'GET /drive/v3/files/:id': {
        query: fields({ fields: text, alt: { const: 'media' }, ...all }),
        answer: ({ params, query }) => {
          if (query['alt'] === 'media') return { text: `content of ${params['id']}` };
          const file = files[params['id'] ?? ''];
          return file ? { json: file } : notFound;
        },
      },
      'GET /drive/v3/files/:id/export': {
        query: fields({ 'mimeType!': text }),
        answer: ({ query }) => ({ text: `as ${query['mimeType']}` }),
      },
      'POST /drive/v3/files': {
        query: fields({ 'fields!': text, ...all }),
        body: fields(metadata),
        answer: ({ body }) => ({ json: { id: 'f9', ...(body as object) } }),
      },
      'PATCH /drive/v3/files/:id': {
        query: fields({ 'fields!': text, addParents: text, removeParents: text, ...all, ...written }),
        body: fields(metadata),
        answer: ({ params, body }) => ({ json: { id: params['id'], ...(body as object) } }),
      },
      'DELETE /drive/v3/files/:id': { query: fields(all), answer: () => ({ status: 204 }) },
      'POST /drive/v3/files/:id/copy': {
        query: fields({ 'fields!': text, ...all }),
        body: fields(metadata),
        answer: ({ body }) => ({ json: { id: 'f8', ...(body as object) } }),
      },
      'POST /drive/v3/files/:id/permissions': {
        query: fields({
          'fields!': text,
          emailMessage: text,
          moveToNewOwnersRoot: toggled,
          sendNotificationEmail: toggled,
          transferOwnership: toggled,
          useDomainAdminAccess: toggled,
          ...all,
        }),
        body: fields({
          'role!': { enum: ['owner', 'organizer', 'fileOrganizer', 'writer', 'commenter', 'reader'] },
          'type!': { enum: ['user', 'group', 'domain', 'anyone'] },
          emailAddress: text,
          domain: text,
          allowFileDiscovery: flag,
        }),
        answer: ({ body }) => ({ json: { id: 'p1', ...(body as object) } }),
      },
      'GET /drive/v3/drives': {
        query: fields({ q: text, fields: text, pageSize: text, pageToken: text, useDomainAdminAccess: toggled }),
        answer: () => ({ json: { drives: [{ id: 'drive1', name: 'Team' }] } }),
      },
      'POST /drive/v3/drives': {
        query: fields({ 'requestId!': { type: 'string', pattern: '^[0-9a-f-]{36}$' } }),
        body: fields({ 'name!': text, colorRgb: text, hidden: flag, restrictions }),
        answer: ({ body }) => ({ json: { id: 'drive2', ...(body as object) } }),
      },
      'GET /drive/v3/drives/:id': {
        query: fields({ useDomainAdminAccess: toggled }),
        answer: ({ params }) => ({ json: { id: params['id'] } }),
      },
      'PATCH /drive/v3/drives/:id': {
        body: fields({ name: text, colorRgb: text, restrictions }),
        answer: ({ params, body }) => ({ json: { id: params['id'], ...(body as object) } }),
      },
      'DELETE /drive/v3/drives/:id': { answer: () => ({ status: 204 }) },
      'POST /upload/drive/v3/files': session(),
      'PATCH /upload/drive/v3/files/:id': session(),
      'PUT /upload/drive/v3/sessions/:id': {
        query: fields({ 'upload_id!': text }),
        type: /^(application\/octet-stream)?$/,
        body: {},
        answer: ({ params, headers, count }) => receive(params['id'] ?? '', String(headers['content-range'] ?? ''), count),
      },
    },
  });

  /** https://developers.google.com/workspace/drive/api/guides/manage-uploads#resumable */
  function receive(id: string, range: string, count: number) {
    const upload = state.uploads.get(id);
    if (!upload) return notFound;
    const bytes = server.received.at(-1)?.body ?? Buffer.alloc(0);
    const status = range === 'bytes */*' ? undefined : state.part({ count, range, bytes, upload });
    if (status !== undefined) return { status };
    store(upload, bytes, range);
    const { length } = upload.bytes;
    if (range === '' || range.endsWith(`/${length}`)) return { json: { ...upload.json, md5: md5(upload.bytes) } };
    const headers: Record<string, string> = length > 0 ? { range: `bytes=0-${length - 1}` } : {};
    return { status: 308, headers };
  }

  function store(upload: Upload, bytes: Buffer, range: string): void {
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\*|\d+)$/.exec(range) ?? [];
    if (first === undefined) return;
    assert.deepEqual([Number(first), Number(last) + 1], [upload.bytes.length, upload.bytes.length + bytes.length]);
    assert.ok(total !== '*' || bytes.length % (256 * 1024) === 0, 'parts are multiples of 256 KiB');
    upload.bytes = Buffer.concat([upload.bytes, bytes]);
  }

  return Object.assign(state, server);
}

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

const notFound = {
  status: 404,
  json: { error: { code: 404, message: 'File not found: x.', errors: [{ reason: 'notFound' }] } },
};
