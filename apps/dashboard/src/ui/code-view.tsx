import { CopyButton } from './copy-button.tsx';

/** Preformatted text that can be copied. */
export function CodeView({ text, label = 'Code' }: { text: string; label?: string }) {
  return (
    <div className="code-view">
      <CopyButton text={text} label={`Copy: ${label}`} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}
