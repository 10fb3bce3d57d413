import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';

export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text());
    setCopied(true);
  };
  return (
    <IconButton label={copied ? 'Copied' : label} className="copy-button" onClick={() => void copy()}>
      {copied ? <Check size={13} /> : <Copy size={13} />}
    </IconButton>
  );
}

/**
 * Copies a text. Falls back to a selection if the clipboard is missing (insecure origins, such as a LAN
 * address) or refuses.
 */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    // Falls back to the selection below.
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
