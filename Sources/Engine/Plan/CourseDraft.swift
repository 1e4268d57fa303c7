/// What one player is to play by: a route, and how that is entered. Control thread.
struct CourseDraft {
    let route: Route
    var entry: Course.Entry
}
