// Calls the fake with RunPod's own JS client, one case after another. Standard input: {modules, base, key, cases}, where
// a case is {name, call, endpoint, job, timeout, payload}. Standard output: one JSON object, what came of each case by name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { modules, base, key, cases } = JSON.parse(readFileSync(0, "utf-8"));
const home = pathToFileURL(join(modules, "runpod-sdk", "dist", "src", "index.js"));
console.log = () => {}; // the client prints while it polls
const { default: runpodSdk } = await import(home);
const runpod = runpodSdk(key, { baseUrl: base });

const calls = {
  run: (endpoint, { payload }) => endpoint.run(payload),
  runSync: (endpoint, { payload, timeout }) => endpoint.runSync(payload, timeout),
  status: (endpoint, { job }) => endpoint.status(job),
  statusSync: (endpoint, { job, timeout }) => endpoint.statusSync(job, timeout),
  stream: async (endpoint, { job, timeout }) => {
    const seen = [];
    for await (const chunk of endpoint.stream(job, timeout)) seen.push(chunk);
    return seen;
  },
  cancel: (endpoint, { job }) => endpoint.cancel(job),
  health: (endpoint) => endpoint.health(),
  purgeQueue: (endpoint) => endpoint.purgeQueue(),
};

async function outcome(given) {
  try {
    const whole = { payload: { input: { a: 1 } }, ...given };
    return { value: await calls[given.call](runpod.endpoint(given.endpoint), whole) };
  } catch (error) {
    const seen = { exc: error.constructor.name, name: error.name, str: error.message };
    if (error.response) seen.errResp = { status: error.response.status, data: error.response.data };
    if (error.cause) seen.cause = error.cause.code;
    return seen;
  }
}

const results = {};
for (const given of cases) results[given.name] = await outcome(given);
process.stdout.write(JSON.stringify(results));
