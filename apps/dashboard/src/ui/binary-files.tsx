import { useQuery } from '@tanstack/react-query';
import { Download, File } from 'lucide-react';
import { useEffect, useState } from 'react';
import { apiUrl, send, toError } from '../data/api.ts';
import { Button } from './button.tsx';
import { type BinaryFile, hasPreview } from './files-of.ts';
import { formatBytes } from './format.ts';
import { saveFile } from './save-file.ts';
import { ErrorState, Loading } from './states.tsx';
import { useAction } from './use-action.ts';

export function BinaryFiles({ files }: { files: readonly BinaryFile[] }) {
  return (
    <ul className="files">
      {files.map((file) => (
        <BinaryFileEntry key={file.key} file={file} />
      ))}
    </ul>
  );
}

function BinaryFileEntry({ file }: { file: BinaryFile }) {
  const download = useAction('The file was not downloaded', async () => saveFile(await read(file), file.fileName));
  return (
    <li>
      <header className="row">
        <File size={15} />
        <div className="grow">
          <div className="truncate">{file.fileName}</div>
          <div className="muted small truncate">
            {file.label} · {file.mimeType}
            {file.bytes !== undefined && ` · ${formatBytes(file.bytes)}`}
          </div>
        </div>
        <Button icon={<Download size={14} />} busy={download.isBusy} onClick={() => download.run()}>
          Download
        </Button>
      </header>
      {hasPreview(file) && <Preview file={file} />}
    </li>
  );
}

function Preview({ file }: { file: BinaryFile }) {
  const { data, error } = useQuery({
    queryKey: ['binary', file.id ?? file.data],
    queryFn: () => read(file),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error) return <ErrorState error={error} />;
  if (!data) return <Loading rows={2} />;
  return file.mimeType.startsWith('image/') ? <ImagePreview blob={data} name={file.fileName} /> : <TextPreview blob={data} />;
}

function ImagePreview({ blob, name }: { blob: Blob; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return <img src={url} alt={name} />;
}

function TextPreview({ blob }: { blob: Blob }) {
  const [text, setText] = useState('');
  useEffect(() => {
    void blob.slice(0, 20_000).text().then(setText);
  }, [blob]);
  return <pre>{text}</pre>;
}

async function read({ id, data, mimeType }: BinaryFile): Promise<Blob> {
  if (id === undefined) {
    const bytes = Uint8Array.from(atob(data ?? ''), (char) => char.codePointAt(0) ?? 0);
    return new Blob([bytes], { type: mimeType });
  }
  const response = await send(new Request(apiUrl(`/binary-data/${encodeURIComponent(id)}`)));
  if (!response.ok) throw toError(response, await response.json().catch(() => ({})));
  return response.blob();
}
