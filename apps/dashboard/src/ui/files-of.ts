export interface BinaryFile {
  key: string;
  /** `3 · data`: index of the item, and name of the property. */
  label: string;
  id?: string;
  /** Base64 content of small files that are stored in the item. */
  data?: string;
  fileName: string;
  mimeType: string;
  /** Absent: unknown. */
  bytes?: number;
}

/** Maximum size of a file that is shown without a click, in bytes. */
const maxPreview = 2_000_000;

/** The files of items, with the index of their item. */
export function filesOf(items: readonly { binary?: object }[]): BinaryFile[] {
  return items.flatMap(({ binary = {} }, index) =>
    Object.entries(binary as Record<string, Record<string, unknown>>).map(([name, file]) => {
      const bytes = bytesOf(file);
      return {
        key: `${index}/${name}`,
        label: `${index} · ${name}`,
        ...(typeof file['id'] === 'string' && { id: file['id'] }),
        ...(typeof file['data'] === 'string' && { data: file['data'] }),
        fileName: String(file['fileName'] ?? name),
        mimeType: String(file['mimeType'] ?? 'application/octet-stream'),
        ...(bytes !== undefined && { bytes }),
      };
    }),
  );
}

function bytesOf({ fileSize, data }: Record<string, unknown>): number | undefined {
  if (typeof fileSize === 'number') return fileSize;
  return typeof data === 'string' ? Math.floor((data.length * 3) / 4) : undefined;
}

/** Whether a file is shown without a click. An SVG is not: it may contain scripts. */
export function hasPreview({ mimeType, bytes = Number.POSITIVE_INFINITY }: BinaryFile): boolean {
  const isKnown = /^(image\/(png|jpeg|gif|webp|avif)|text\/|application\/json)/.test(mimeType);
  return isKnown && bytes <= maxPreview;
}
