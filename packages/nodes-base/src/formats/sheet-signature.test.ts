import { expect, test } from '@jest/globals';
import { sheetKind } from './sheet-signature.ts';

test.each([
  ['an archive', Buffer.from('504b0304', 'hex'), 'archive'],
  ['a compound file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'workbook'],
  ['an Excel 3 workbook', Buffer.from('090206000000', 'hex'), 'workbook'],
  ['an HTML table', Buffer.from('\uFEFF\n<html><style>p{}</style><TABLE>'), 'markup'],
  ['an XML workbook', Buffer.from('<?xml version="1.0"?><ss:Workbook>'), 'markup'],
  ['XML of something else', Buffer.from('<note>table</note>'), 'text'],
  ['UTF-8', Buffer.from('ä\tb\r\n'), 'text'],
  ['Latin 1', Buffer.from('ä,b', 'latin1'), 'text'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFa,b', 'utf16le'), 'text'],
  ['a DOS file', Buffer.from('a,b\r\n1,2\r\n\x1A'), 'text'],
  ['nothing', Buffer.alloc(0), 'text'],
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), 'unknown'],
])('%s', (_, bytes, kind) => {
  expect(sheetKind(bytes)).toBe(kind);
});
