// The runner copies this file elsewhere, so packages are imported from the folder of the project.
const modules = `${process.env.STAND_IN_ROOT}/node_modules/@actions`;
const core = await import(`${modules}/core/lib/core.js`);
const { getOctokit, context } = await import(`${modules}/github/lib/github.js`);

const parameters = {
  github: getOctokit(core.getInput('github-token'), { baseUrl: process.env.GITHUB_API_URL }),
  context,
  core,
};
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
try {
  await new AsyncFunction(...Object.keys(parameters), core.getInput('script'))(...Object.values(parameters));
} catch (error) {
  core.setFailed(String(error));
}
