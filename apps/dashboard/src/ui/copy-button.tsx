import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import { toast } from './toast.tsx';

export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(typeof text === 'string' ? text : text())) setCopied(true);
    else toast.error('Select the text, and copy it with the keyboard.', 'The browser did not copy');
  };
  return (
    <IconButton label={copied ? 'Copied' : label} className="copy-button" onClick={() => void copy()}>
      {copied ? <Check size={13} /> : <Copy size={13} />}
    </IconButton>
  );
}

/**
 * Copies a string. Falls back to a selection if the clipboard is missing (insecure origins, such as
 * a LAN address) or refuses. Resolves to false if the browser allows neither.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Falls back to the selection below.
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  // An open dialog keeps the focus, and so the selection, inside of it.
  (document.activeElement?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
