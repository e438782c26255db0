/** A document as APIs have them, in words of our own. */
export const harbour = {
  openapi: '3.0.3',
  info: { title: 'Harbour office', version: '2.1', description: 'Berths and ships.' },
  servers: [
    { url: 'https://{region}.harbour.example/v2/', variables: { region: { default: 'north' } }, description: 'Live' },
    { url: '/v2' },
  ],
  security: [{ token: [] }],
  components: {
    securitySchemes: {
      login: { type: 'oauth2', flows: {} },
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Harbour-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
    },
    parameters: {
      ship: {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        description: 'The number of the ship',
      },
    },
    schemas: {
      Ship: {
        type: 'object',
        required: ['name', 'registered'],
        properties: {
          id: { type: 'string', description: 'Another number' },
          name: { type: 'string', minLength: 1, nullable: true, example: 'Anna' },
          registered: { type: 'string', readOnly: true },
          length: { type: 'number', minimum: 0, exclusiveMinimum: true },
          escort: { $ref: '#/components/schemas/Ship' },
          crew: { type: 'array', items: { $ref: '#/components/schemas/Person' } },
        },
      },
      Person: { type: 'object', properties: { name: { type: 'string' }, role: { enum: ['captain', 'cook'] } } },
      Moored: {
        allOf: [
          { $ref: '#/components/schemas/Person' },
          { type: 'object', required: ['berth'], properties: { berth: { type: 'integer' } } },
        ],
      },
    },
  },
  paths: {
    '/ships': {
      get: {
        operationId: 'ships.list',
        summary: 'Lists ships',
        tags: ['ships'],
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } },
          { name: 'filter[flag]', in: 'query', schema: { type: 'string' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } },
          { name: 'Cookie', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', required: true, schema: { type: 'string' } },
          { name: 'where', in: 'query', style: 'deepObject', schema: { type: 'object' } },
        ],
      },
      post: {
        operationId: 'add ship!',
        tags: ['ships'],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Ship' } } },
        },
      },
      head: {},
    },
    '/ships/{id}': {
      parameters: [{ $ref: '#/components/parameters/ship' }],
      put: {
        operationId: 'change',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Ship' } } } },
      },
      delete: { operationId: 'change', deprecated: true },
    },
    '/ships/{id}/moor': {
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Moored' } } },
        },
      },
    },
    '/bulk': {
      post: {
        operationId: 'bulk',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
        },
      },
    },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: { required: true, content: { 'multipart/form-data': { schema: {} } } },
      },
    },
    '/elsewhere': { get: { operationId: 'elsewhere', servers: [{ url: 'https://other.example' }] } },
  },
}
