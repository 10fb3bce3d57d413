import { type HttpStreamedResponse, headerText } from '@sluice/node-sdk';
import { parse } from 'content-disposition';
import { baseName } from '../binary-files.ts';

/**
 * Name of a downloaded file without folders: from the `content-disposition` header, else from the
 * URL; empty if neither contains a name.
 */
export function responseFileName({ headers, url }: Pick<HttpStreamedResponse, 'headers' | 'url'>): string {
  return plain(dispositionName(headerText(headers, 'content-disposition'))) || plain(lastSegment(url));
}

function dispositionName(header: string): string {
  try {
    return parse(header).parameters['filename'] ?? '';
  } catch {
    return '';
  }
}

function lastSegment(url: string): string {
  const { pathname = '' } = URL.parse(url) ?? {};
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  } catch {
    return '';
  }
}

function plain(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const base = baseName(name.replace(/[\x00-\x1f\x7f]/g, '')).trim();
  return base === '.' || base === '..' ? '' : base;
}
