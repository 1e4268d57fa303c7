/// What a list of objects in a session's file is called, and what it may hold.
struct ListForm<Part, Item>: Sendable {
    let name: String
    /// What one of them is called in problems.
    let itemName: String
    /// It is left out where it holds nothing.
    let isOptional: Bool
    /// No more are read.
    let limit: Int?
    /// What no two of them have in common, in their field "name".
    let unique: (@Sendable (Item) -> String)?
    /// What the list holds.
    let items: @Sendable (Part) -> [Item]

    init(
        _ name: String, of itemName: String, isOptional: Bool = false, limit: Int? = nil,
        unique: (@Sendable (Item) -> String)? = nil, items: @escaping @Sendable (Part) -> [Item]
    ) {
        (self.name, self.itemName, self.isOptional, self.limit) = (name, itemName, isOptional, limit)
        (self.unique, self.items) = (unique, items)
    }
}
