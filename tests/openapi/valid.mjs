// node valid.mjs OPENAPI.json: validates the document with the schema of OpenAPI 3.1, with every reference resolved.
import SwaggerParser from '@apidevtools/swagger-parser';

const description = await SwaggerParser.validate(process.argv[2]);
console.log(`valid: ${Object.keys(description.paths).length} paths`);
