import { createWriteStream, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { buildWebview } from './build-webview.ts';

/** Packs the folder of a built extension into a `.vsix`, the same to the byte for the same files. */
export async function packExtension(folder: string, file: string): Promise<void> {
  const zip = new ZipFile();
  const options = {
    mtime: new Date('2000-01-01T00:00:00'),
    mode: 0o100644,
    forceDosTimestamp: true,
  };
  zip.addBuffer(
    Buffer.from(packageManifest(readManifest(folder))),
    'extension.vsixmanifest',
    options,
  );
  zip.addBuffer(Buffer.from(contentTypes), '[Content_Types].xml', options);
  for (const name of globSync('**/*', { cwd: folder }).sort()) {
    const path = join(folder, name);
    if (!statSync(path).isFile() || name.endsWith('.vsix')) continue;
    zip.addBuffer(readFileSync(path), `extension/${name.replaceAll('\\', '/')}`, options);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly publisher: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** What galleries and the editor read before they unpack an extension. */
function packageManifest(manifest: Manifest): string {
  const { name, displayName, publisher, version, description, keywords, categories } = manifest;
  const engine = manifest.engines.vscode;
  const kind = manifest.extensionKind.join(',');
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Tags>${keywords.join(',')}</Tags>
    <Categories>${categories.join(',')}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engine}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="${kind}" />
    </Properties>
    <License>extension/LICENSE</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".vsixmanifest" ContentType="text/xml" />
  <Default Extension=".json" ContentType="application/json" />
  <Default Extension=".js" ContentType="application/javascript" />
  <Default Extension=".css" ContentType="text/css" />
  <Default Extension=".svg" ContentType="image/svg+xml" />
  <Default Extension=".png" ContentType="image/png" />
  <Default Extension=".md" ContentType="text/markdown" />
</Types>
`;

// Run as a program, it packs what npm run build has made.
if (import.meta.main) {
  const built = join(import.meta.dirname, 'dist');
  await buildWebview(built);
  await packExtension(built, join(built, `errand-${readManifest(built).version}.vsix`));
}
