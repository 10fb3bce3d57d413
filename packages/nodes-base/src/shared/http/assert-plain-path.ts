import { maxUrlLength, NodeOperationError } from '@sluice/node-sdk';

/** `.` or `..` between slashes, even if encoded; URL parsers treat a backslash like a slash. */
const dotSegment = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;

/**
 * Throws for a path or URL with the segment `.` or `..`. Clients resolve these, and no encoding
 * preserves them: an ID `..` would send the request to another resource, such as all items instead
 * of one.
 */
export function assertPlainPath(address: string, itemIndex?: number): void {
  if (address.length > maxUrlLength) return; // the client refuses it
  const [path = ''] = address.split(/[?#]/, 1);
  if (!dotSegment.test(path)) return;
  throw new NodeOperationError('"." and ".." cannot be part of an address', {
    itemIndex,
    description: 'Check the IDs and names that the node uses: one of them is only dots, or has such a part',
  });
}
