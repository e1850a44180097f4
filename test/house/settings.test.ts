// What is said of settings that cannot be used: which, and what each may be.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSettingNames, readConfig, settingNames } from '../../src/config.ts';

function refusalOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

test('each wrong setting has a line that says what it may be', () => {
  expect(
    refusalOf({
      PORT: 'http',
      DATABASE_POOL: '2',
      MAX_BODY_BYTES: '1e9',
      DRAIN_SECONDS: '-1',
      ROLE: 'boss',
      TRUST_PROXY: 'maybe',
      CORS_ORIGINS: 'example.com',
      SECRETS_KEY: 'short',
    }),
  ).toBe(
    [
      'Some settings cannot be used:',
      '  PORT="http": it is a whole number from 0 to 65535',
      '  DATABASE_POOL="2": it is a whole number from 3 to 500',
      '  SECRETS_KEY=(not shown): it is 32 to 200 visible ASCII characters, or several such keys with commas between',
      '  CORS_ORIGINS="example.com": it is origins with commas between, such as https://app.example.com, or *',
      '  ROLE="boss": it is one of all, api, worker',
      '  TRUST_PROXY="maybe": it is one of true, false, 1, 0, yes, no',
      '  MAX_BODY_BYTES="1e9": it is a whole number from 1024 on',
      '  DRAIN_SECONDS="-1": it is a number of seconds from 0 to 3600',
    ].join('\n'),
  );
});

test('nothing that no setting can be is taken for a number or a word', () => {
  for (const name of settingNames) {
    for (const value of [' ', '0x10', 'NaN', 'Infinity', '1.5e3']) {
      const [text] = refusalOf({ [name]: value })
        .split('\n')
        .slice(1);
      const isText =
        /^(DATA_DIR|HOST|FILES_DIR|AUDIT_ARCHIVE_DIR|SIGN_IN_FILE|SMTP_FROM|PERSISTED_OPERATIONS|ALLOW|CORS)/;
      if (!isText.test(name))
        expect([name, value, text]).toEqual([name, value, expect.any(String)]);
      expect(text ?? '').not.toMatch(/Invalid|expected|received|Too (small|big)/);
    }
  }
});

test('values at the borders are taken, and mean what they say', () => {
  expect(readConfig({ PORT: '0', DATABASE_POOL: '500', DRAIN_SECONDS: '0.5' })).toMatchObject({
    PORT: 0,
    DATABASE_POOL: 500,
    DRAIN_SECONDS: 0.5,
  });
  expect(readConfig({ PORT: '', ROLE: 'worker', TRUST_PROXY: 'yes' })).toMatchObject({
    PORT: 4000,
    ROLE: 'worker',
    TRUST_PROXY: true,
  });
});

test('a secret may lie in a file, of which the environment shows the path alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-settings-'));
  const fileWith = (text: string) => {
    const path = join(folder, `secret-${text.length}`);
    writeFileSync(path, text);
    return path;
  };
  const url = 'postgresql://headwater:hush@db.example.com/headwater';
  const values: Readonly<Record<string, string>> = {
    ADMIN_API_KEY: 'a'.repeat(20),
    OPERATOR_KEY: 'o'.repeat(32),
    SECRETS_KEY: 's'.repeat(40),
    SMTP_URL: 'smtp://user:hush@mail.example.com',
    AUDIT_STREAM_URL: 'syslogs://logs.example.com:6514/hush',
    AUDIT_STREAM_SECRET: `whsec_${'h'.repeat(44)}`,
    ...{ DATABASE_URL: url, DATABASE_DIRECT_URL: `${url}2`, DATABASE_READ_URL: `${url}-3` },
  };
  const named = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileWith(`${value}\n`)]),
  );
  expect(Object.keys(named).sort()).toEqual([...fileSettingNames].sort());
  expect(readConfig(named)).toMatchObject(values);
  expect(readConfig({ SECRETS_KEY_FILE: '' }).SECRETS_KEY).toBeUndefined();
  // What is refused says which file, and nothing of what is in it.
  const both = refusalOf({ ...named, SECRETS_KEY: 'x'.repeat(40) });
  expect(both).toMatch(/SECRETS_KEY_FILE="[^"]+": SECRETS_KEY is set as well/);
  expect(refusalOf({ SECRETS_KEY_FILE: join(folder, 'nothing') })).toContain('ENOENT');
  expect(refusalOf({ SECRETS_KEY_FILE: fileWith('\n') })).toContain('the file is empty');
  const short = refusalOf({ SECRETS_KEY_FILE: fileWith('hush-hush') });
  expect(short).toContain('SECRETS_KEY=(not shown)');
  expect(short).not.toContain('hush');
  rmSync(folder, { recursive: true });
});

test.each([
  'logs.example.com',
  'ftp://logs.example.com',
  'https://me:secret@logs.example.com',
  'https://:1',
])('the audit log is not streamed to %j', (address) => {
  expect(refusalOf({ AUDIT_STREAM_URL: address })).toBe(
    'Some settings cannot be used:\n  AUDIT_STREAM_URL=(not shown): it is an address without a login, such as ' +
      'syslogs://logs.example.com:6514 or https://logs.example.com/audit',
  );
});

test('what says more of a server is refused where no server is named', () => {
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
    const url = 'postgresql://headwater:secret@db.example.com/headwater';
    expect(refusalOf({ [name]: url })).toBe(
      `Some settings cannot be used:\n  ${name}=(not shown): it needs DATABASE_URL as well`,
    );
    expect(refusalOf({ [name]: url, DATABASE_URL: url })).toBe('');
  }
});
