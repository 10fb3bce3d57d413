import assert from 'node:assert/strict';
import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const path = { type: 'string', pattern: '^(/.*|id:.*)$' };
const root = { type: 'string', pattern: '^(/.*|)$' };
const bytes = { type: /^application\/octet-stream$/, body: { type: 'string' } };
const answer = (json: unknown): Pick<ApiRoute, 'answer'> => ({ answer: () => ({ json }) });

const entry = {
  '.tag': 'file',
  id: 'id:1',
  name: 'a b.txt',
  path_lower: '/reports/a b.txt',
  path_display: '/Reports/a b.txt',
  client_modified: '2026-01-01T00:00:00Z',
  server_modified: '2026-01-02T00:00:00Z',
  rev: '01',
  size: 5,
  is_downloadable: true,
  content_hash: 'h',
};
const metadata = answer({ metadata: entry });
const fromTo = fields({ 'from_path!': path, 'to_path!': path });
const cursor = fields({ 'cursor!': text });

/** The argument in the header of a content request. */
export const argumentOf = (headers: Record<string, string | string[] | undefined>): unknown =>
  JSON.parse(String(headers['dropbox-api-arg']));

/**
 * https://www.dropbox.com/developers/documentation/http/documentation, for the tokens `t` and
 * `token1`.
 */
export function dropboxServer(): Promise<ApiServer> {
  const api = {
    'POST /2/users/get_current_account': answer({ root_info: { root_namespace_id: '3', home_namespace_id: '5' } }),
    'POST /2/files/copy_v2': { body: fromTo, ...metadata },
    'POST /2/files/move_v2': { body: fromTo, ...metadata },
    'POST /2/files/delete_v2': { body: fields({ 'path!': path }), ...metadata },
    'POST /2/files/create_folder_v2': { body: fields({ 'path!': path }), ...metadata },
    'POST /2/files/list_folder': {
      body: fields({
        'path!': root,
        'limit!': { type: 'integer', minimum: 1, maximum: 2000 },
        include_deleted: flag,
        include_mounted_folders: flag,
        recursive: flag,
      }),
      ...answer({ entries: [entry], cursor: 'c1', has_more: false }),
    },
    'POST /2/files/list_folder/continue': { body: cursor, ...answer({ entries: [entry], cursor: 'c2', has_more: false }) },
    'POST /2/files/search_v2': {
      body: fields({
        'query!': text,
        'options!': fields({
          'max_results!': { type: 'integer', minimum: 1, maximum: 1000 },
          file_status: { enum: ['active', 'deleted'] },
          path: root,
          file_categories: { type: 'array', items: text },
          file_extensions: { type: 'array', items: text },
        }),
      }),
      ...answer({ matches: [{ metadata: { '.tag': 'metadata', metadata: entry } }], has_more: false }),
    },
    'POST /2/files/search/continue_v2': { body: cursor, ...answer({ matches: [], has_more: false }) },
    'POST /2/files/download': { headers: { 'dropbox-api-arg': /^[ -~]+$/ }, answer: () => ({ text: 'Hello' }) },
    'POST /2/files/upload': {
      ...bytes,
      headers: { 'dropbox-api-arg': /^[ -~]+$/ },
      answer: ({ headers }) => {
        const { path: to, mode } = argumentOf(headers) as Record<string, string>;
        assert.equal(mode, 'overwrite');
        return { json: { id: 'id:1', name: String(to).split('/').at(-1) } };
      },
    },
    'POST /2/files/upload_session/start': { ...bytes, ...answer({ session_id: 's1' }) },
    'POST /2/files/upload_session/append_v2': { ...bytes, ...answer(null) },
    'POST /2/files/upload_session/finish': { ...bytes, ...answer({ id: 'id:1' }) },
  } satisfies Record<string, ApiRoute>;
  return apiServer({ baseUrl: 'https://api.dropboxapi.com', headers: { authorization: /^Bearer (t|token1)$/ }, routes: api });
}
