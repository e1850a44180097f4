// Signing in a command line: its address names a recipient, for which alone a new key of the viewer is sealed.

import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import { Ticks } from '../parts/choosing/ticks.tsx';
import { Copy } from '../parts/copy.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { commandLineWords as words } from '../words/sign-in/command-line.ts';
import { MakeCommandLineKey } from './page.graphql';
import { comparedOf, maySeal, sealFor } from './sealed-key.ts';

type Scope = keyof typeof words.scopes;
const scopes: readonly Scope[] = ['READ', 'WRITE', 'IMPORT'];
/** A name of a computer as it may stand in the name of a key. */
const maxName = 60;

/** The page; `to` is the recipient, `name` its computer, `port` where it listens on this one. */
export function CommandLinePage() {
  const view = useAddress();
  const to = view.one('to');
  const name = view.one('name').slice(0, maxName);
  const compared = useCompared(to);
  if (!maySeal()) {
    return (
      <Page title={words.title}>
        <p>
          {words.unsafe} <Link href="/admin?part=keys">{words.keys}</Link>.
        </p>
      </Page>
    );
  }
  if (compared === null || name === '') {
    return (
      <Page title={words.incomplete}>
        <p>{words.incompleteHow}</p>
      </Page>
    );
  }
  return (
    <Page title={words.title}>
      <p>{words.asks(name)}</p>
      <p>{words.compare}</p>
      <p>
        <code className="secret">{compared}</code>
      </p>
      <Allowing to={to} name={name} port={Number(view.one('port'))} />
    </Page>
  );
}

/** What a person compares; null for no recipient, empty until it is known. */
function useCompared(to: string): string | null {
  const [compared, setCompared] = useState<string | null>('');
  useEffect(() => {
    if (!maySeal()) return;
    sealFor(to, '')
      .then(() => comparedOf(to))
      .then(setCompared, () => setCompared(null));
  }, [to]);
  return compared;
}

interface AllowingProps {
  readonly to: string;
  readonly name: string;
  readonly port: number;
}

function Allowing({ to, name, port }: AllowingProps) {
  const [chosen, setChosen] = useState<readonly Scope[]>(['READ', 'WRITE']);
  const allow = useAct(async () => {
    const input = { name: words.keyName(name), scopes: [...chosen] };
    const { createApiKey } = await ask(MakeCommandLineKey, { input });
    return sealFor(to, createApiKey.key);
  }, []);
  if (allow.data !== undefined) return <Handing code={allow.data} port={port} />;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        allow.mutate(undefined);
      }}
    >
      <Ticks
        legend={words.may}
        names={scopes}
        says={(scope) => words.scopes[scope]}
        chosen={chosen}
        set={setChosen}
      />
      {allow.error && <Problem error={allow.error} />}
      <p>
        <button type="submit" className="main" disabled={allow.isPending || chosen.length === 0}>
          {words.allow}
        </button>
      </p>
    </form>
  );
}

/** The sealed key: by an address of this computer, and to be pasted. */
function Handing({ code, port }: { code: string; port: number }) {
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return (
    <div role="status">
      <p>{words.allowed}</p>
      {isPort && (
        <p>
          <a className="button main" href={`http://127.0.0.1:${port}/?code=${code}`}>
            {words.send}
          </a>
        </p>
      )}
      <p>{words.paste}</p>
      <p>
        <code className="secret">{code}</code>
      </p>
      <Copy label={words.copy} text={code} />
    </div>
  );
}
