import { CopyButton } from './copy-button.tsx';

/** A secret that the service shows only now. */
export function SecretOnce({ text, label }: { text: string; label: string }) {
  return (
    <div className="stack-small">
      <p>
        Copy it now: it is <strong>not shown again</strong>.
      </p>
      <div className="secret-once">
        <code>{text}</code>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </div>
    </div>
  );
}
