// cspell:ignore getcontentlength getcontenttype getetag getlastmodified propstat resourcetype
import { type ApiServer, apiServer } from '../../../testing/api-server.ts';

const root = '/remote.php/webdav';
const changed = '<d:getlastmodified>Sat, 31 Jan 2026 12:00:00 GMT</d:getlastmodified>';
const ok = '<d:status>HTTP/1.1 200 OK</d:status>';
const missing = '<d:propstat><d:prop><d:getcontentlength/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>';
const folderType = '<d:resourcetype><d:collection/></d:resourcetype>';
const fileProps =
  '<d:resourcetype/><d:getcontentlength>5</d:getcontentlength><d:getcontenttype>application/pdf</d:getcontenttype><d:getetag>&quot;e1&quot;</d:getetag>';
const entry = (href: string, props: string, more = '') =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${changed}${props}</d:prop>${ok}</d:propstat>${more}</d:response>`;

const listing = (folder: string) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">${[
    entry(`${folder}/`, folderType, missing),
    entry(`${folder}/one.pdf`, fileProps),
    entry(`${folder}/Paid/`, folderType, missing),
  ].join('')}</d:multistatus>`;

/**
 * https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/, for the user `ada`
 * with the password `p`.
 */
export function nextCloudServer(): Promise<ApiServer> {
  const multistatus = (folder: string) => ({
    status: 207,
    text: listing(folder),
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
  return apiServer({
    baseUrl: 'https://cloud.example.com',
    headers: { authorization: /^Basic YWRhOnA=$/ },
    routes: {
      [`PROPFIND ${root}/`]: { headers: { depth: /^1$/ }, answer: () => multistatus(root) },
      [`PROPFIND ${root}/:folder`]: {
        headers: { depth: /^1$/ },
        answer: ({ params }) => multistatus(`${root}/${encodeURIComponent(params['folder'] ?? '')}`),
      },
      [`GET ${root}/:folder/:file`]: { answer: () => ({ text: '%PDF', headers: { 'content-type': 'application/pdf' } }) },
      [`PUT ${root}/:file`]: { type: /./, body: { type: 'string' }, answer: () => ({ status: 201 }) },
      [`DELETE ${root}/:file`]: { answer: () => ({ status: 204 }) },
      [`MKCOL ${root}/:folder`]: { answer: () => ({ status: 201 }) },
      [`MOVE ${root}/:file`]: { headers: { destination: /^https:\/\/cloud/ }, answer: () => ({ status: 201 }) },
      [`COPY ${root}/:file`]: { headers: { destination: /^https:\/\/cloud/ }, answer: () => ({ status: 201 }) },
    },
  });
}
