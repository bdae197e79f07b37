// The runner copies this file elsewhere, so packages are imported from the folder of the project.
import path from 'node:path';

const modules = `${process.env.STAND_IN_ROOT}/node_modules/@actions`;
const { DefaultArtifactClient } = await import(`${modules}/artifact/lib/artifact.js`);
const file = process.env.INPUT_PATH;
await new DefaultArtifactClient().uploadArtifact(process.env.INPUT_NAME, [file], path.dirname(file));
