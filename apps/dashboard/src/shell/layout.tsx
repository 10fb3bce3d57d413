import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { LogOut, Menu as MenuIcon, Moon, Search, Sun, WifiOff } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { connected } from '../data/connection.ts';
import { leave } from '../data/sign-in-link.ts';
import { useStore } from '../data/store.ts';
import { IconButton } from '../ui/button.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { navigation } from './navigation.ts';
import { Palette, switchTheme } from './palette.tsx';
import { useShortcuts } from './shortcuts.ts';
import { isDark, theme } from './theme.ts';

/** Frame of every page behind the sign-in: navigation, palette, and the state of the connection. */
export function Layout() {
  const navigate = useNavigate();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const go = useCallback((to: string, search: Record<string, string> = {}) => void navigate({ to, search }), [navigate]);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  useShortcuts({ openPalette, go });
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the menu of narrow screens at each new page
  useEffect(() => setMenuOpen(false), [path]);
  // On narrow screens, the sidebar is a menu above the page.
  const sidebar = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isMenuOpen) sidebar.current?.querySelector('a')?.focus({ preventScroll: true });
  }, [isMenuOpen]);
  const onMenuKey = ({ key }: KeyboardEvent) => {
    if (!isMenuOpen || key !== 'Escape') return;
    setMenuOpen(false);
    menuButton.current?.focus();
  };
  const onMenuBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) setMenuOpen(false);
  };
  return (
    <div className="shell" data-menu={isMenuOpen}>
      <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to the content
      </button>
      <aside className="sidebar" ref={sidebar} onKeyDown={onMenuKey} onBlur={onMenuBlur}>
        <Brand />
        <button type="button" className="search-button" onClick={openPalette}>
          <Search size={14} />
          <span className="grow">Search</span>
          <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd>
        </button>
        <Navigation />
        <SidebarEnd />
      </aside>
      <header className="topbar">
        <IconButton ref={menuButton} label="Menu" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(true)}>
          <MenuIcon size={18} />
        </IconButton>
        <Brand />
        <IconButton label="Search" onClick={openPalette}>
          <Search size={17} />
        </IconButton>
      </header>
      <button type="button" className="backdrop" aria-label="Close the menu" tabIndex={-1} onClick={() => setMenuOpen(false)} />
      <main id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Outlet />
      </main>
      <LeaveDialog />
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} go={go} />}
    </div>
  );
}

const isMac = navigator.platform.startsWith('Mac');

function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="icon.svg" alt="" width={22} height={22} />
      Sluice
    </Link>
  );
}

function Navigation() {
  return (
    <nav aria-label="Main">
      {navigation.map((group) => (
        <ul key={group[0]?.to}>
          {group.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link to={to} className="nav-link" activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
                <Icon size={16} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

function SidebarEnd() {
  useStore(theme);
  return (
    <div className="sidebar-end">
      <a className="link" href="docs" target="_blank" rel="noopener">
        API docs
      </a>
      <span className="grow" />
      <IconButton label={isDark() ? 'Switch to light' : 'Switch to dark'} onClick={switchTheme}>
        {isDark() ? <Sun size={15} /> : <Moon size={15} />}
      </IconButton>
      <IconButton label="Sign out" onClick={() => void leave()}>
        <LogOut size={15} />
      </IconButton>
    </div>
  );
}

function ConnectionBanner() {
  if (useStore(connected)) return null;
  return (
    <div className="connection-banner" role="status">
      <WifiOff size={14} />
      The service cannot be reached. What you see may be out of date; the page continues as soon as it responds.
    </div>
  );
}
